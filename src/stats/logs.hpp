#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "stats/estimate.hpp"

namespace scoville::stats {

/// ln of each. Nullopt unless all are finite and > 0: a ratio of anything else says nothing.
inline std::optional<std::vector<double>> logs(std::span<const double> values) {
  std::vector<double> result;
  result.reserve(values.size());
  for (const double value : values) {
    if (!(value > 0) || !std::isfinite(value)) return std::nullopt;
    result.push_back(std::log(value));
  }
  return result;
}

/// From a shift of logarithms back to a ratio. Nullopt where that is no finite number.
inline std::optional<Estimate> exponential(const Estimate& shift) {
  Estimate ratio{std::exp(shift.value), std::nullopt};
  if (!std::isfinite(ratio.value)) return std::nullopt;
  if (!shift.interval) return ratio;
  ratio.interval = {std::exp(shift.interval->lower), std::exp(shift.interval->upper), shift.interval->coverage};
  if (!std::isfinite(ratio.interval->upper)) return std::nullopt;
  return ratio;
}

}  // namespace scoville::stats
