#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace scoville::stats {

/// Whether a series rises or falls, and how fast, without assuming a shape or a distribution. Values in the order of
/// time.

/// Mann and Kendall's test against "no trend".
struct MannKendall {
  std::int64_t s = 0;   ///< pairs that rise minus pairs that fall
  double variance = 0;  ///< of S without a trend: [n(n-1)(2n+5) - Σ t(t-1)(2t+5)] / 18, t the sizes of groups of equals
  double z = 0;         ///< (S ∓ 1) / √variance, 0 for S = 0
  double p = 1;         ///< two-sided, by the normal approximation
};

/// Nullopt below three values, where all are equal, and where any is not finite. O(n log n).
///
/// Four values can never reach p < 0.05 (24 orders: 2/24 = 0.083); five can. Neighbours that depend on each other make
/// p too small: average into windows first.
std::optional<MannKendall> mann_kendall(std::span<const double> series);

/// Median of all pairwise slopes (Theil 1950, Sen 1968), in units per step. Nullopt below two values, where any is not
/// finite, and above kTheilSenMost values: it holds n(n-1)/2 slopes, so hand it windows rather than samples.
std::optional<double> theil_sen_slope(std::span<const double> series);

constexpr std::size_t kTheilSenMost = 4096;

}  // namespace scoville::stats
