#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace scoville::stats {

/// Where the warm-up ends, by MSER-5 (White, Cobb and Spratt 2000).
///
/// The series is averaged in batches of five; of the first d batches as many are dropped as make the standard error of
/// the mean of the rest smallest: stat(d) = Σ (z - z̄)² / k² over the k batch means that remain, for d up to half of
/// them. Beyond half the few that remain agree by chance, so the search stops there.
struct Truncation {
  std::size_t batches = 0;          ///< whole batches in the series; an unfinished last one takes no part
  std::size_t dropped_batches = 0;  ///< d
  std::size_t first_kept = 0;       ///< 5 d, an index into the series
  /// The minimum stands at the end of the search: the true one may lie beyond half the data.
  bool at_limit = false;
};

constexpr std::size_t kMserBatch = 5;

/// stat(d) for d = 0 … half the batches, in the square of the series' unit. Empty below two batches and where a value
/// is not finite.
std::vector<double> mser5_statistics(std::span<const double> series);

/// The least d with the smallest stat(d). Nullopt where mser5_statistics() is empty.
std::optional<Truncation> mser5(std::span<const double> series);

}  // namespace scoville::stats
