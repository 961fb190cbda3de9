#pragma once

#include <optional>
#include <vector>

#include "decide/gate.hpp"

namespace scoville::decide {

/// Share of requests that may fail, time-outs apart, before an arm's latencies are those of survivors.
constexpr double kMostFailures = 0.01;
/// A run that was to last so long must have: its share of the duration asked for.
constexpr double kLeastDuration = 0.98;

/// More client threads that raise the rate of one unchanged server by more than this were missing before.
constexpr double kClientGain = 0.05;

/// Output tokens per second with more client threads ÷ with fewer, medians over runs, the load being the same. Empty
/// where both arms had as many, or are not one server, or a rate is not known.
std::optional<double> client_gain(const Arm& base, const Arm& candidate);

/// Whether the runs are what they were meant to be, before they are compared (docs/method.md, "Gate"): keys "runs.…".
std::vector<GateField> check_validity(const Arm& base, const Arm& candidate);

}  // namespace scoville::decide
