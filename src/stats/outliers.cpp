#include "stats/outliers.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/finite.hpp"
#include "stats/quantile.hpp"

namespace scoville::stats {

std::optional<std::size_t> count_outliers(std::span<const double> values) {
  if (values.empty() || !all_finite(values)) return std::nullopt;
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  if (sorted.front() == sorted.back()) return 0;
  const auto median = linear_quantile(sorted, 0.5);
  if (!median) return std::nullopt;
  for (double& value : sorted) value = std::fabs(value - *median);
  std::ranges::sort(sorted);
  const auto mad = linear_quantile(sorted, 0.5);
  if (!mad || *mad == 0) return std::nullopt;
  return static_cast<std::size_t>(
      std::ranges::count_if(sorted, [&](double distance) { return distance > kOutlierDeviations * *mad; }));
}

}  // namespace scoville::stats
