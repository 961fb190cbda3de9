#pragma once

#include <optional>
#include <span>

namespace scoville::stats {

/// How much each value repeats the one before it. Both take values in the order of time, not sorted.

/// r1 = Σ (x_i - x̄)(x_{i+1} - x̄) / Σ (x_i - x̄)², in (-1, 1). Nullopt below two values, where all are equal, and where
/// any is not finite.
std::optional<double> lag1_autocorrelation(std::span<const double> series);

/// How many independent values the series is worth: N (1 - r1) / (1 + r1), the AR(1) approximation. Below N / 2 the
/// interval of rank_interval() is too narrow to be shown: use batch means, or one number per run. Above N where
/// neighbours alternate.
std::optional<double> effective_sample_size(std::span<const double> series);

}  // namespace scoville::stats
