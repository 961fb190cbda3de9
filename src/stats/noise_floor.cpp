#include "stats/noise_floor.hpp"

#include <algorithm>
#include <cmath>

#include "stats/distributions.hpp"
#include "stats/finite.hpp"
#include "stats/logs.hpp"
#include "stats/quantile.hpp"

namespace scoville::stats {

std::optional<double> noise_floor(std::span<const double> ratios) {
  auto sizes = logs(ratios);
  if (!sizes || sizes->size() < kFewestSamePairs) return std::nullopt;
  for (double& size : *sizes) size = std::fabs(size);
  std::ranges::sort(*sizes);
  return if_finite(std::expm1(*linear_quantile(*sizes, 0.95)));
}

std::optional<double> chance_of_false_calls(std::uint64_t differences, std::uint64_t tests, double alpha) {
  if (tests == 0 || differences > tests || !(alpha > 0 && alpha < 1)) return std::nullopt;
  return differences == 0 ? 1.0 : binomial_more_than(differences - 1, tests, alpha);
}

}  // namespace scoville::stats
