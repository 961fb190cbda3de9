#include "stats/summary.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "stats/finite.hpp"

namespace scoville::stats {

std::optional<double> mean(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  return if_finite(std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size()));
}

std::optional<Summary> summarize(std::span<const double> values) {
  const auto rough = mean(values);
  if (!rough || !all_finite(values)) return std::nullopt;
  const double n = static_cast<double>(values.size());
  double rest = 0, squares = 0;  // deviations from the rounded mean: their sum corrects mean and variance (Chan 1983)
  for (const double value : values) {
    rest += value - *rough;
    squares += (value - *rough) * (value - *rough);
  }
  if (!std::isfinite(squares)) return std::nullopt;
  const double deviation = std::max(0.0, squares - rest * (rest / n));
  const auto [least, most] = std::ranges::minmax_element(values);
  Summary summary{values.size(), *rough + rest / n, std::sqrt(deviation / n), std::nullopt, *least, *most};
  if (values.size() > 1) summary.sample_std = std::sqrt(deviation / (n - 1));
  return summary;
}

}  // namespace scoville::stats
