#pragma once

#include <vector>

#include "decide/gate.hpp"

namespace scoville::decide {

/// Share of requests that may fail, time-outs apart, before an arm's latencies are those of survivors.
constexpr double kMostFailures = 0.01;
/// A run that was to last so long must have: its share of the duration asked for.
constexpr double kLeastDuration = 0.98;

/// Whether the runs are what they were meant to be, before they are compared (docs/method.md, "Gate"): keys "runs.…".
std::vector<GateField> check_validity(const Arm& base, const Arm& candidate);

}  // namespace scoville::decide
