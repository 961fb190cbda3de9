#pragma once

#include <string>

#include "base/json.hpp"
#include "decide/canary.hpp"

namespace scoville::report {

/// All that `canary` has to say.
struct CanaryView {
  std::string base, candidate, engine;
  decide::Canary canary;
};

/// docs/formats/canary.md.
json::object canary_json(const CanaryView& view);

/// The same for a terminal: the verdict first.
std::string canary_table(const CanaryView& view);

}  // namespace scoville::report
