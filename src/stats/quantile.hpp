#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace scoville::stats {

/// Quantiles of a sample and the doubt in them. Ranks count from 1, as x_(r) does on paper; p is a share, not a
/// percentage.
///
/// Every `sorted` is ascending; sorting is the caller's work, done once. An answer is nullopt for an empty sample, for
/// p or level outside the stated range, and where a value at the rank is not finite: a caller may sort requests that
/// were cut off at a time-out as +infinity, and a quantile that falls among them is then unknown, as it should be.

/// The rank ⌈pN⌉, at least 1. p in [0, 1]. A product that only rounding pushed above a whole number is that number:
/// 0.07 · 100 is 7.000000000000001 in a double, and its rank is 7.
std::optional<std::size_t> nearest_rank(std::size_t n, double p);

/// x_(⌈pN⌉): a value that was really measured. Our quantile everywhere but in exports.
std::optional<double> nearest_rank_quantile(std::span<const double> sorted, double p);

/// Linear between neighbours at position 1 + p(N - 1): type 7 of Hyndman and Fan (1996), numpy's default. For exports
/// in the format of tools that use it.
std::optional<double> linear_quantile(std::span<const double> sorted, double p);

/// Ranks between which the p-quantile of the population lies, whatever its distribution.
struct RankInterval {
  std::size_t lower = 0;
  std::size_t upper = 0;
  double coverage = 0;  ///< the level that it really has, P(lower <= Bin(N, p) <= upper - 1) >= the level asked for
};

/// With α = 1 - level: lower = largest l with P(Bin(N, p) <= l - 1) <= α/2, upper = smallest u with
/// P(Bin(N, p) <= u - 1) >= 1 - α/2 (David and Nagaraja, Order Statistics, 7.1). p and level in (0, 1).
///
/// Nullopt where a side has no such rank: the sample is too small to bound that quantile. At level 0.95 and p = 0.99 no
/// upper rank exists for N < 368. Holds for independent values; see autocorrelation.hpp for when they are not.
/// A fifth of a millisecond at most, also for N = 10 million.
std::optional<RankInterval> rank_interval(std::size_t n, double p, double level = 0.95);

/// The interval [x_(lower), x_(upper)], in the unit of the values.
struct QuantileInterval {
  double lower = 0;
  double upper = 0;
  double coverage = 0;
};
std::optional<QuantileInterval> quantile_interval(std::span<const double> sorted, double p, double level = 0.95);

}  // namespace scoville::stats
