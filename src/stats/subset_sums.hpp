#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace scoville::stats {

/// The exact null distributions that the rank tests stand on, for any ranks: with ties they are those of the ties at
/// hand. Each answers with P(sum = s) at place s. Sums of counts, built up one weight at a time: no enumeration.

/// The sum of `chosen` of the weights, all choices equally likely. chosen <= weights, at most a thousand of them.
std::vector<double> sums_of_choices(std::span<const std::size_t> weights, std::size_t chosen);

/// The sum where each weight counts or not, by a fair coin. At most a thousand weights.
std::vector<double> sums_of_coins(std::span<const std::size_t> weights);

/// The largest K with P(sum <= K - 1) <= tail, or 0. `reached` is set to that probability.
std::size_t largest_rank_below(std::span<const double> distribution, double tail, double& reached);

/// P(|sum - centre| >= |observed - centre|), where twice the centre is `twice_centre`. At most 1.
double both_tails(std::span<const double> distribution, std::size_t observed, std::size_t twice_centre);

}  // namespace scoville::stats
