#include "dataset/traces.hpp"
#include "text/catalogue.hpp"

namespace scoville::dataset {

using text::Msg;
using text::say;

Workload parse_lengths_file(std::string_view content) {
  JsonlRows rows = parse_jsonl(content, RowNeeds::lengths);
  Workload workload;
  workload.bad = std::move(rows.bad);
  for (const JsonlRow& row : rows.rows) {
    if (*row.prompt_tokens == 0 || *row.output_tokens == 0) {
      workload.bad.push_back(
          {row.line, std::nullopt, say(*row.prompt_tokens == 0 ? Msg::rows_no_input : Msg::rows_no_output)});
      continue;
    }
    WorkloadChain& chain = workload.chains.emplace_back();
    chain.line = row.line;
    chain.turns.push_back({Nanos::zero(), *row.prompt_tokens, *row.output_tokens});
  }
  return workload;
}

}  // namespace scoville::dataset
