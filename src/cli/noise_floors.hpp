#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "decide/noise.hpp"
#include "store/run_store.hpp"

namespace scoville::cli {

/// The name under which the store keeps noise floors. Their subject is the client machine: the harness is one.
inline constexpr const char* kNoiseFloor = "noise_floor";

/// What is known of the noise of two systems under their load: of each metric the larger floor.
struct KnownFloors {
  std::map<std::string, double> by_metric;
  int sides = 0;          ///< how many of the two systems a floor is known of
  bool has_base = false;  ///< the base is one of them
};

/// All A/A results of this client machine that this program can read, newest first; none where `store` is null.
Result<std::vector<decide::NoiseFloor>> read_floors(const store::RunStore* store, const std::string& client);

/// What they say of two systems under their load.
KnownFloors known_floors(const std::vector<decide::NoiseFloor>& newest_first, const decide::Setup& base,
                         const decide::Setup& candidate);

}  // namespace scoville::cli
