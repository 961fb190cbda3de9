#pragma once

#include <cstdint>
#include <optional>

#include "stats/interval.hpp"

namespace scoville::stats {

/// How far a share of successes can be trusted: Clopper and Pearson (1934), exact, at least the level asked for.
///
/// 96 % of 200 requests within their limits does not show that "at least 95 % are": the lower bound is 0.929.
/// Nullopt without trials, with more successes than trials, and for a level outside (0, 1).

/// Both ends, as shares in [0, 1]: Beta quantiles of α/2 at (k, n - k + 1) and of 1 - α/2 at (k + 1, n - k).
std::optional<Interval> attainment_interval(std::uint64_t successes, std::uint64_t trials, double level = 0.95);

/// The one-sided lower bound: what to hold against an SLO. Beta quantile of 1 - level at (k, n - k + 1).
std::optional<double> attainment_at_least(std::uint64_t successes, std::uint64_t trials, double level = 0.95);

/// The same, one-sided, for trials that follow each other and are worth fewer: `trials` is what they are worth, and
/// `successes` is scaled with them; neither need be whole. Nullopt for less than none, and as above.
std::optional<double> attainment_at_least_of(double successes, double trials, double level = 0.95);
std::optional<double> attainment_at_most_of(double successes, double trials, double level = 0.95);

}  // namespace scoville::stats
