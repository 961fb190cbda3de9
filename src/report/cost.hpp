#pragma once

#include <string>

#include "base/json.hpp"
#include "cost/outcome.hpp"

namespace scoville::report {

/// Columns of the table on a terminal.
inline constexpr std::size_t kCostWidth = 100;

/// scoville.cost/1 (docs/formats/cost.md).
json::object cost_json(const cost::Outcome& outcome);

/// For a person: the options side by side, break-even, sensitivities, then what was taken from public data and what
/// was not said. `detail`: all attribution methods and every bar. Of an incomplete outcome: what is missing.
std::string cost_table(const cost::Outcome& outcome, bool detail);

/// What is missing, one line each, as it would be written in the study.
std::string cost_missing(const cost::Outcome& outcome);

}  // namespace scoville::report
