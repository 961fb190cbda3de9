#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace scoville::matrix {

/// Throughput of one job on so many devices.
struct DeviceRate {
  std::size_t devices = 1;
  double rate = 0;  ///< > 0, any unit
};

/// Against the smallest number of devices, n0, on which the model fits: with m = n / n0 and S = T_n / T_n0,
/// efficiency = S / m, and Karp and Flatt's serial fraction e = (1/S − 1/m) / (1 − 1/m). An e that rises with n is
/// communication; one that stays is a part that does not run in parallel.
struct ScalingPoint {
  std::size_t devices = 1;
  double efficiency = 1;
  std::optional<double> serial_fraction;  ///< none at n0
};

/// In the order of devices. Empty where a rate is not > 0, or a number of devices is 0 or stands twice.
std::vector<ScalingPoint> scaling(std::span<const DeviceRate> rates);

/// Lower bound of the mean time between failures, in the unit of `device_hours`: what a device that fails this often
/// would still show with probability 1 − confidence. Without failures T / −ln(1 − confidence): T / 2.99573 at 95 %.
/// Otherwise T / μ with P(Poisson(μ) ≤ failures) = 1 − confidence. device_hours ≥ 0, confidence in (0, 1).
double mtbf_lower_bound(double device_hours, std::size_t failures = 0, double confidence = 0.95);

/// Device hours without a failure that would show so long a mean time between failures.
double failure_free_hours_for(double mtbf, double confidence = 0.95);

}  // namespace scoville::matrix
