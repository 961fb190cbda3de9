#include "dataset/workload_file.hpp"

#include <algorithm>

#include "dataset/json_lines.hpp"
#include "text/catalogue.hpp"

namespace scoville::dataset {
namespace {

using simdjson::SUCCESS;
using text::Msg;
using text::say;
namespace dom = simdjson::dom;

constexpr std::uint64_t kMostBlockTokens = 1'000'000;

Error refuse(std::string reason) { return {ErrorCode::invalid_argument, std::move(reason)}; }

Result<WorkloadTurn> turn_of(const dom::object& object) {
  WorkloadTurn turn;
  const auto input = needed_tokens(object, "input_tokens");
  if (!input) return input.error();
  if (*input == 0) return refuse(say(Msg::rows_no_input));
  const auto output = tokens_at(object, "output_tokens");
  if (!output) return output.error();
  const auto think = millis_at(object, "think_ms");
  if (!think) return think.error();
  turn.input_tokens = *input;
  turn.output_tokens = output->value_or(0);
  turn.think = think->value_or(Nanos::zero());
  return turn;
}

Status read_turns(const dom::object& object, WorkloadChain& chain) {
  dom::element value;
  if (object["turns"].get(value) != SUCCESS) {
    const auto alone = turn_of(object);
    if (!alone) return alone.error();
    chain.turns.push_back(*alone);
    return Done{};
  }
  dom::array list;
  if (value.get(list) != SUCCESS || list.size() == 0) return refuse(say(Msg::workload_turns));
  for (const dom::element each : list) {
    dom::object fields;
    if (each.get(fields) != SUCCESS) return refuse(say(Msg::workload_turns));
    const auto turn = turn_of(fields);
    if (!turn) return turn.error();
    chain.turns.push_back(*turn);
  }
  chain.turns.front().think = Nanos::zero();
  return Done{};
}

Result<WorkloadChain> chain_of(const dom::element& value) {
  const auto object = object_of(value);
  if (!object) return object.error();
  WorkloadChain chain;
  const auto at = millis_at(*object, "at_ms");
  if (!at) return at.error();
  chain.at = *at;
  auto blocks = numbers_at(*object, "blocks");
  if (!blocks) return blocks.error();
  chain.blocks = std::move(*blocks);
  dom::element model;
  if ((*object)["model"].get(model) == SUCCESS && !model.is_null()) {
    std::string_view name;
    if (model.get(name) != SUCCESS) return refuse(say(Msg::jsonl_not_a_text, "model"));
    chain.model = name;
  }
  if (Status read = read_turns(*object, chain); !read) return read.error();
  return chain;
}

/// The head's "block_tokens".
Result<std::uint32_t> block_tokens_of(const dom::element& head) {
  dom::object object;
  std::string_view format;
  if (head.get(object) != SUCCESS || object["format"].get(format) != SUCCESS || format != kWorkloadFormat) {
    return refuse(say(Msg::workload_head));
  }
  dom::element value;
  if (object["block_tokens"].get(value) != SUCCESS) return std::uint32_t{512};
  std::uint64_t tokens = 0;
  if (value.get(tokens) != SUCCESS || tokens == 0 || tokens > kMostBlockTokens) {
    return refuse(say(Msg::workload_blocks));
  }
  return static_cast<std::uint32_t>(tokens);
}

/// Times of some lines and none of others cannot be replayed: the others go.
void drop_untimed(Workload& workload) {
  auto& chains = workload.chains;
  const bool has_some = std::any_of(chains.begin(), chains.end(), [](const auto& each) { return each.at; });
  if (!has_some) return;
  for (const WorkloadChain& chain : chains) {
    if (!chain.at) workload.bad.push_back({chain.line, std::nullopt, say(Msg::rows_time_elsewhere, "at_ms")});
  }
  std::erase_if(chains, [](const auto& each) { return !each.at; });
}

}  // namespace

Result<Workload> parse_workload_file(std::string_view content) {
  Workload workload;
  bool has_head = false;
  Status head = refuse(say(Msg::workload_head));
  for_each_json_line(content, workload.bad, [&](const JsonLine& line) -> Status {
    if (!has_head) {
      has_head = true;
      const Result<std::uint32_t> tokens = block_tokens_of(line.value);
      head = tokens ? Status(Done{}) : Status(tokens.error());
      if (tokens) workload.block_tokens = *tokens;
      return Done{};
    }
    if (!head) return Done{};
    Result<WorkloadChain> chain = chain_of(line.value);
    if (!chain) return chain.error();
    chain->line = line.number;
    workload.chains.push_back(std::move(*chain));
    return Done{};
  });
  if (!head) return head.error();
  drop_untimed(workload);
  settle_times(workload);
  return workload;
}

}  // namespace scoville::dataset
