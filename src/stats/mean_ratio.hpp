#pragma once

#include <optional>
#include <span>

#include "stats/estimate.hpp"

namespace scoville::stats {

/// other / base by classical means, beside the rank interval, for readers who expect them and to see how far the
/// answers differ. Both take the values as normal, which a handful of runs cannot show. Nullopt with fewer than two
/// runs an arm, values that are not finite and > 0, or a level outside (0, 1).

/// Geometric means: exp(mean ln b - mean ln a ± t_ν √(s_a²/n + s_b²/m)), ν by Welch (1947). Without any spread the
/// interval is the ratio itself.
std::optional<Estimate> geometric_mean_ratio(std::span<const double> base, std::span<const double> other,
                                             double level = 0.95);

/// Arithmetic means, by Fieller (1954) as Kalibera and Jones (2013) write it, with h = t_{n+m-2} s / √n for each arm:
/// (x̄ȳ ± √((x̄ȳ)² - (x̄² - h_x²)(ȳ² - h_y²))) / (x̄² - h_x²). No interval where h_x >= x̄: the base might be zero.
std::optional<Estimate> mean_ratio(std::span<const double> base, std::span<const double> other, double level = 0.95);

/// median(other) / median(base), no interval. What most tools print; the estimate of ratio_between wastes fewer runs.
/// One run an arm will do. Nullopt for an empty arm, and values that are not finite and > 0.
std::optional<double> median_ratio(std::span<const double> base, std::span<const double> other);

}  // namespace scoville::stats
