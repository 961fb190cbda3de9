#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace scoville::stats {

/// One step in the level of a series: where, how sure, how high (Pettitt 1979).
struct StepChange {
  std::size_t first_segment = 0;  ///< how many values stand before the step
  double k = 0;                   ///< U_t of largest size, U_t = Σ_{i<=t<j} sgn(x_i - x_j); negative for a step up
  double p = 1;                   ///< about 2 exp(-6 K² / (n³ + n²)), at most 1
  double mean_before = 0;         ///< in the unit of the values
  double mean_after = 0;
};

/// Values in the order of time. Nullopt below two values, where all are equal, and where any is not finite. O(n log n),
/// from ranks. The approximation of p is good below 0.5; neighbours that depend on each other make it too small.
std::optional<StepChange> pettitt(std::span<const double> series);

}  // namespace scoville::stats
