#include "stats/repeats.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/distributions.hpp"
#include "stats/quantile.hpp"
#include "stats/summary.hpp"

namespace scoville::stats {

std::optional<Repeats> summarize_repeats(std::span<const double> runs, double level) {
  const auto summary = summarize(runs);
  if (!summary || !(level > 0 && level < 1)) return std::nullopt;
  std::vector<double> sorted(runs.begin(), runs.end());
  std::ranges::sort(sorted);
  const auto k = static_cast<double>(runs.size());

  Repeats repeats;
  repeats.count = runs.size();
  repeats.median.value = *linear_quantile(sorted, 0.5);
  if (const auto interval = quantile_interval(sorted, 0.5, level)) {
    repeats.median.interval = {interval->lower, interval->upper, interval->coverage};
  }
  repeats.min = summary->min;
  repeats.max = summary->max;
  repeats.range_coverage = 1 - std::exp2(1 - k);
  if (!summary->sample_std) return repeats;
  if (summary->mean > 0) repeats.cv = *summary->sample_std / summary->mean;
  const double half = student_t_two_sided(level, k - 1) * *summary->sample_std / std::sqrt(k);
  repeats.mean_interval = {summary->mean - half, summary->mean + half};
  return repeats;
}

}  // namespace scoville::stats
