#include "cli/noise_floors.hpp"

#include <algorithm>

namespace scoville::cli {
namespace {

/// Newest first; what this program cannot read is no floor.
Result<std::vector<decide::NoiseFloor>> read_all(const store::RunStore* store, const std::string& client) {
  std::vector<decide::NoiseFloor> out;
  if (!store) return out;
  const auto found = store->findings(kNoiseFloor, client);
  if (!found) return found.error();
  for (const store::Finding& each : *found) {
    if (Result<decide::NoiseFloor> floor = decide::noise_floor_from(each.body)) out.push_back(std::move(*floor));
  }
  return out;
}

/// Adds the newest floor of one system; false where there is none.
bool add(const std::vector<decide::NoiseFloor>& newest_first, const std::string& system, KnownFloors& out) {
  const auto found = std::find_if(newest_first.begin(), newest_first.end(), [&](const decide::NoiseFloor& each) {
    return each.system == system && !each.floors.empty();
  });
  if (found == newest_first.end()) return false;
  for (const auto& [metric, floor] : found->floors) {
    double& held = out.by_metric[metric];
    held = std::max(held, floor);
  }
  return true;
}

}  // namespace

Result<KnownFloors> known_floors(const store::RunStore* store, const decide::Setup& base,
                                 const decide::Setup& candidate) {
  const Result<std::vector<decide::NoiseFloor>> all = read_all(store, base.client);
  if (!all) return all.error();
  KnownFloors out;
  out.has_base = add(*all, decide::floor_key(base), out);
  out.sides = (out.has_base ? 1 : 0) + (add(*all, decide::floor_key(candidate), out) ? 1 : 0);
  return out;
}

Result<decide::HarnessHealth> harness_health(const store::RunStore* store, const std::string& client,
                                             const std::string& metric) {
  const Result<std::vector<decide::NoiseFloor>> all = read_all(store, client);
  if (!all) return all.error();
  return decide::judge_harness(*all, metric);
}

}  // namespace scoville::cli
