#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

namespace scoville::stats {

/// Neither NaN nor infinite, all of them. Sorting a NaN is undefined behaviour, so whatever sorts asks this first.
inline bool all_finite(std::span<const double> values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

/// The one door through which a computed number leaves this module: no NaN, no infinity.
inline std::optional<double> if_finite(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

}  // namespace scoville::stats
