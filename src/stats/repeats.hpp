#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "stats/estimate.hpp"
#include "stats/interval.hpp"

namespace scoville::stats {

/// k runs of one arm, one number per run: that run's throughput, median or P95. All but the shares in its unit.
///
/// "P95 of five runs" would be their maximum; what is meant is the median over runs of each run's P95.
struct Repeats {
  std::size_t count = 0;
  Estimate median;  ///< with the interval between order statistics; none at 95 % with fewer than six runs
  double min = 0;
  double max = 0;
  double range_coverage = 0;              ///< the level at which [min, max] holds the true median: 1 - 2^(1-k)
  std::optional<double> cv;               ///< sample standard deviation / mean; none for one run or a mean <= 0
  std::optional<Interval> mean_interval;  ///< mean ± t_{k-1} s / √k, for readers who expect it; none for one run
};

/// Nullopt for no run, a value that is not finite, or a level outside (0, 1).
std::optional<Repeats> summarize_repeats(std::span<const double> runs, double level = 0.95);

}  // namespace scoville::stats
