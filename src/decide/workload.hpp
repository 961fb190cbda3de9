#pragma once

#include <optional>

#include "decide/arm.hpp"

namespace scoville::decide {

/// What both systems really did for the same requests, by their own counts: a chat template, a thinking mode or a
/// truncation can turn one text into two workloads.
struct WorkloadDifference {
  /// candidate ÷ base − 1 of the means; of prompts the median over requests with the same index, where that is further
  /// from 0. Empty where a side does not count.
  std::optional<double> prompt, output;
};

/// A prompt that differs by more could itself make a difference as large as the least margin.
constexpr double kPromptTolerance = 0.02;
/// Prompt tokens that came from a cache, as a share of all: a difference of shares.
constexpr double kCachedTolerance = 0.02;
/// Realised mean output (MLPerf TEST09).
constexpr double kOutputTolerance = 0.10;

WorkloadDifference workload_difference(const Arm& base, const Arm& candidate);

}  // namespace scoville::decide
