#include "stats/autocorrelation.hpp"

#include "stats/finite.hpp"
#include "stats/summary.hpp"

namespace scoville::stats {

std::optional<double> lag1_autocorrelation(std::span<const double> series) {
  const auto level = mean(series);
  if (!level || series.size() < 2) return std::nullopt;
  double products = 0, squares = 0, before = 0;  // before: of the first value, so that its product counts nothing
  for (const double value : series) {
    const double deviation = value - *level;
    products += before * deviation;
    squares += deviation * deviation;
    before = deviation;
  }
  if (!(squares > 0)) return std::nullopt;
  return if_finite(products / squares);
}

std::optional<double> effective_sample_size(std::span<const double> series) {
  const auto r1 = lag1_autocorrelation(series);
  if (!r1) return std::nullopt;
  return if_finite(static_cast<double>(series.size()) * (1 - *r1) / (1 + *r1));
}

}  // namespace scoville::stats
