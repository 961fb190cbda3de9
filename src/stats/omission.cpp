#include "stats/omission.hpp"

#include <algorithm>
#include <cmath>

#include "stats/finite.hpp"

namespace scoville::stats {
namespace {

/// How many of v - e, v - 2e, … are at least e. The hair keeps 0.3 / 0.1 from counting as 2.
double added_for(double value, double interval) {
  return std::max(0.0, std::floor(value / interval * (1 + 1e-12)) - 1);
}

}  // namespace

std::optional<std::vector<double>> correct_omission(std::span<const double> values, double expected_interval) {
  if (!(expected_interval > 0) || !std::isfinite(expected_interval) || !all_finite(values)) return std::nullopt;
  double total = static_cast<double>(values.size());
  for (const double value : values) {
    if (value < 0) return std::nullopt;
    total += added_for(value, expected_interval);
  }
  if (total > static_cast<double>(kMostCorrected)) return std::nullopt;

  std::vector<double> corrected;
  corrected.reserve(static_cast<std::size_t>(total));
  for (const double value : values) {
    corrected.push_back(value);
    const auto added = static_cast<std::size_t>(added_for(value, expected_interval));
    for (std::size_t i = 1; i <= added; ++i) corrected.push_back(value - static_cast<double>(i) * expected_interval);
  }
  std::ranges::sort(corrected);
  return corrected;
}

}  // namespace scoville::stats
