#pragma once

#include "analyse/analysis.hpp"

namespace scoville::analyse {

/// A closed loop has reached its concurrency at this share of it.
inline constexpr double kSteadyShare = 0.95;

/// Fills `out.warnings` from what the rest of it says, and from the records that count.
void find_doubts(const Records& records, const run::RunResult& run, const plan::LoadPlan& plan, Analysis& out);

}  // namespace scoville::analyse
