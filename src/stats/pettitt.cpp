#include "stats/pettitt.hpp"

#include <algorithm>
#include <cmath>

#include "stats/finite.hpp"
#include "stats/ranks.hpp"
#include "stats/summary.hpp"

namespace scoville::stats {
std::optional<StepChange> pettitt(std::span<const double> series) {
  if (series.size() < 2 || !all_finite(series)) return std::nullopt;
  const auto ranks = mid_ranks(series);
  const double n = static_cast<double>(series.size());
  StepChange step;
  double rank_sum = 0;
  for (std::size_t t = 1; t < series.size(); ++t) {
    rank_sum += ranks[t - 1];
    const double u = 2 * rank_sum - static_cast<double>(t) * (n + 1);
    if (std::fabs(u) > std::fabs(step.k)) {
      step.k = u;
      step.first_segment = t;
    }
  }
  if (step.first_segment == 0) return std::nullopt;  // every U_t is 0, as when all values are equal
  const auto before = mean(series.first(step.first_segment)), after = mean(series.subspan(step.first_segment));
  if (!before || !after) return std::nullopt;
  step.p = std::min(1.0, 2 * std::exp(-6 * step.k * step.k / (n * n * n + n * n)));
  step.mean_before = *before;
  step.mean_after = *after;
  return step;
}

}  // namespace scoville::stats
