#include "cli/noise_floors.hpp"

#include <algorithm>

namespace scoville::cli {
namespace {

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

Result<std::vector<decide::NoiseFloor>> read_floors(const store::RunStore* store, const std::string& client) {
  std::vector<decide::NoiseFloor> out;
  if (!store) return out;
  const auto found = store->findings(kNoiseFloor, client);
  if (!found) return found.error();
  for (const store::Finding& each : *found) {
    if (Result<decide::NoiseFloor> floor = decide::noise_floor_from(each.body)) out.push_back(std::move(*floor));
  }
  return out;
}

KnownFloors known_floors(const std::vector<decide::NoiseFloor>& newest_first, const decide::Setup& base,
                         const decide::Setup& candidate) {
  KnownFloors out;
  out.has_base = add(newest_first, decide::floor_key(base), out);
  out.sides = (out.has_base ? 1 : 0) + (add(newest_first, decide::floor_key(candidate), out) ? 1 : 0);
  return out;
}

}  // namespace scoville::cli
