#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "base/units.hpp"

namespace scoville::workload {

/// Against a Poisson process, whose gaps are exponential: their coefficient of variation is 1.
enum class Regularity { unknown, regular, poisson, bursty };

/// How requests came.
struct Arrivals {
  std::size_t count = 0;
  Nanos span{};                      ///< from the first to the last
  std::optional<double> rate;        ///< per second: gaps ÷ span. Empty: fewer than two times, or all equal
  std::optional<double> variation;   ///< of the gaps: standard deviation (N) ÷ mean
  std::optional<double> burstiness;  ///< shape of a gamma distribution with it, 1 / variation²: vLLM's --burstiness
  Regularity regularity = Regularity::unknown;
  /// Parts of equal length; 0: too few requests to cut.
  std::size_t parts = 0;
  double quietest = 0, busiest = 0;  ///< per second
  bool is_uneven = false;            ///< the rate is not the same throughout
};

/// Pure. `times` ascending.
///
/// Regularity: for exponential gaps the coefficient of variation of n of them is near 1 with a standard error of 1/√n
/// (delta method on μ2 = 1, μ3 = 2, μ4 = 9), so it differs where |variation − 1| · √n > 1.96; unknown below 20 gaps.
///
/// Evenness: counts of k = min(24, n/10) equal parts, k ≥ 4. For gaps of that variation a count's variance is about
/// mean · variation², so Σ(c − m)² / (m · max(variation², 1)) is about χ² with k − 1 degrees of freedom; the rate
/// changes where it lies three standard deviations above their mean. Bursts alone do not.
Arrivals describe_arrivals(std::span<const Nanos> times);

}  // namespace scoville::workload
