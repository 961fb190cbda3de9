#include "dataset/json_lines.hpp"
#include "dataset/traces.hpp"
#include "text/catalogue.hpp"

namespace scoville::dataset {
namespace {

using text::Msg;
using text::say;

Error refuse(std::string reason) { return {ErrorCode::invalid_argument, std::move(reason)}; }

Result<WorkloadChain> chain_of(const simdjson::dom::element& value) {
  const auto object = object_of(value);
  if (!object) return object.error();
  WorkloadChain chain;
  const auto at = millis_at(*object, "timestamp");
  if (!at || !*at) return refuse(say(Msg::rows_no_time, "timestamp"));
  chain.at = *at;
  const auto input = needed_tokens(*object, "input_length"), output = needed_tokens(*object, "output_length");
  if (!input) return input.error();
  if (!output) return output.error();
  if (*input == 0) return refuse(say(Msg::rows_no_input));
  if (*output == 0) return refuse(say(Msg::rows_no_output));
  auto blocks = numbers_at(*object, "hash_ids");
  if (!blocks) return blocks.error();
  chain.blocks = std::move(*blocks);
  chain.turns.push_back({Nanos::zero(), *input, *output});
  return chain;
}

}  // namespace

Workload parse_mooncake(std::string_view content) {
  Workload workload;
  workload.block_tokens = 512;
  for_each_json_line(content, workload.bad, [&](const JsonLine& line) -> Status {
    Result<WorkloadChain> chain = chain_of(line.value);
    if (!chain) return chain.error();
    chain->line = line.number;
    workload.chains.push_back(std::move(*chain));
    return Done{};
  });
  settle_times(workload);
  return workload;
}

}  // namespace scoville::dataset
