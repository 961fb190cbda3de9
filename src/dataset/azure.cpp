#include "dataset/csv_trace.hpp"
#include "dataset/traces.hpp"
#include "text/catalogue.hpp"

namespace scoville::dataset {

using text::Msg;
using text::say;

Result<Workload> parse_azure(std::string_view content) {
  const auto take = [](const std::vector<std::string_view>& fields) -> Result<WorkloadChain> {
    const auto refuse = [](std::string reason) { return Error{ErrorCode::invalid_argument, std::move(reason)}; };
    WorkloadChain chain;
    chain.at = parse_timestamp(fields[0]);
    if (!chain.at) return refuse(say(Msg::rows_no_time, "TIMESTAMP"));
    const auto input = tokens_of(fields[1], "ContextTokens"), output = tokens_of(fields[2], "GeneratedTokens");
    if (!input) return input.error();
    if (!output) return output.error();
    if (*input == 0) return refuse(say(Msg::rows_no_input));
    if (*output == 0) return refuse(say(Msg::rows_no_output));
    chain.turns.push_back({Nanos::zero(), *input, *output});
    return chain;
  };
  return read_csv_trace(content, {"TIMESTAMP", "ContextTokens", "GeneratedTokens"}, take);
}

}  // namespace scoville::dataset
