#include "dataset/workload_file_write.hpp"

#include <cmath>

#include "base/json.hpp"

namespace scoville::dataset {
namespace {

/// To the microsecond, written in milliseconds.
json::value millis(Nanos span) { return std::round(to_millis(span) * 1e3) / 1e3; }

void put_lengths(const WorkloadTurn& turn, json::object& out) {
  out["input_tokens"] = turn.input_tokens;
  out["output_tokens"] = turn.output_tokens;
}

json::object chain_json(const WorkloadChain& chain) {
  json::object out;
  if (chain.at) out["at_ms"] = millis(*chain.at);
  if (chain.turns.size() == 1) put_lengths(chain.turns.front(), out);
  if (!chain.blocks.empty()) out["blocks"] = json::value_from(chain.blocks);
  if (!chain.model.empty()) out["model"] = chain.model;
  if (chain.turns.size() == 1) return out;
  json::array turns;
  for (const WorkloadTurn& each : chain.turns) {
    json::object turn;
    if (!turns.empty()) turn["think_ms"] = millis(each.think);
    put_lengths(each, turn);
    turns.push_back(std::move(turn));
  }
  out["turns"] = std::move(turns);
  return out;
}

}  // namespace

std::string workload_lines(const Workload& workload, const std::string& source) {
  const json::object head{
      {"format", "scoville.workload/1"}, {"block_tokens", workload.block_tokens}, {"source", source}};
  std::string out = compact(head) + "\n";
  for (const WorkloadChain& each : workload.chains) out += compact(chain_json(each)) + "\n";
  return out;
}

}  // namespace scoville::dataset
