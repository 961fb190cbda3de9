#include "matrix/scaling.hpp"

#include <algorithm>
#include <cmath>

namespace scoville::matrix {
namespace {

/// P(Poisson(mean) <= k), summed in logarithms so that no term overflows.
double poisson_at_most(std::size_t k, double mean) {
  double sum = 0;
  for (std::size_t i = 0; i <= k; ++i) {
    const auto count = static_cast<double>(i);
    sum += std::exp(count * std::log(mean) - mean - std::lgamma(count + 1));
  }
  return sum;
}

/// The mean at which so few failures have probability 1 − confidence: by bisection, as the sum falls with the mean.
double failures_upper_bound(std::size_t failures, double confidence) {
  if (failures == 0) return -std::log1p(-confidence);
  double low = static_cast<double>(failures), high = 2 * low + 20;
  while (poisson_at_most(failures, high) > 1 - confidence) high *= 2;
  for (int i = 0; i < 200 && high - low > 1e-12 * high; ++i) {
    const double middle = (low + high) / 2;
    (poisson_at_most(failures, middle) > 1 - confidence ? low : high) = middle;
  }
  return high;
}

}  // namespace

std::vector<ScalingPoint> scaling(std::span<const DeviceRate> rates) {
  std::vector<DeviceRate> sorted(rates.begin(), rates.end());
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.devices < b.devices; });
  std::vector<ScalingPoint> out;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const bool is_twice = i > 0 && sorted[i].devices == sorted[i - 1].devices;
    if (!(sorted[i].rate > 0) || sorted[i].devices == 0 || is_twice) return {};
    const double m = static_cast<double>(sorted[i].devices) / static_cast<double>(sorted[0].devices);
    const double speedup = sorted[i].rate / sorted[0].rate;
    ScalingPoint& point = out.emplace_back(ScalingPoint{sorted[i].devices, speedup / m, {}});
    if (i > 0) point.serial_fraction = (1 / speedup - 1 / m) / (1 - 1 / m);
  }
  return out;
}

double mtbf_lower_bound(double device_hours, std::size_t failures, double confidence) {
  return device_hours / failures_upper_bound(failures, confidence);
}

double failure_free_hours_for(double mtbf, double confidence) { return mtbf * failures_upper_bound(0, confidence); }

}  // namespace scoville::matrix
