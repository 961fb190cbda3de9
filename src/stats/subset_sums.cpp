#include "stats/subset_sums.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/check.hpp"

namespace scoville::stats {
namespace {

constexpr std::size_t kMostWeights = 1'000;  // beyond, the counts leave the range of a double

void divide(std::span<double> counts) {
  const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
  for (double& count : counts) count /= total;
}

}  // namespace

std::vector<double> sums_of_choices(std::span<const std::size_t> weights, std::size_t chosen) {
  SCOVILLE_CHECK(chosen <= weights.size() && weights.size() <= kMostWeights, "a choice among up to a thousand");
  const std::size_t width = std::accumulate(weights.begin(), weights.end(), std::size_t{0}) + 1;
  // counts[j * width + s]: in how many ways j of the weights seen so far add up to s.
  std::vector<double> counts((chosen + 1) * width, 0.0);
  counts[0] = 1;
  std::size_t seen = 0, most = 0;
  for (const std::size_t weight : weights) {
    for (std::size_t j = std::min(++seen, chosen); j > 0; --j) {
      const double* without = &counts[(j - 1) * width];
      double* with = &counts[j * width + weight];
      for (std::size_t s = 0; s <= most; ++s) with[s] += without[s];
    }
    most += weight;
  }
  std::vector<double> row(counts.end() - static_cast<std::ptrdiff_t>(width), counts.end());
  divide(row);
  return row;
}

std::vector<double> sums_of_coins(std::span<const std::size_t> weights) {
  SCOVILLE_CHECK(weights.size() <= kMostWeights, "up to a thousand coins");
  const std::size_t width = std::accumulate(weights.begin(), weights.end(), std::size_t{0}) + 1;
  std::vector<double> counts(width, 0.0);
  counts[0] = 1;
  std::size_t most = 0;
  for (const std::size_t weight : weights) {
    for (std::size_t s = most + 1; s-- > 0;) counts[s + weight] += counts[s];
    most += weight;
  }
  divide(counts);
  return counts;
}

std::size_t largest_rank_below(std::span<const double> distribution, double tail, double& reached) {
  reached = 0;
  std::size_t rank = 0;
  // A tail of exactly α/2 counts: 1/40 of a sum of counts may come out a hair above 0.025.
  while (rank < distribution.size() && reached + distribution[rank] <= tail * (1 + 1e-12)) {
    reached += distribution[rank++];
  }
  return rank;
}

double both_tails(std::span<const double> distribution, std::size_t observed, std::size_t twice_centre) {
  const auto distance = [&](std::size_t sum) {
    return sum * 2 > twice_centre ? sum * 2 - twice_centre : twice_centre - sum * 2;
  };
  const std::size_t seen = distance(observed);
  double p = 0;
  for (std::size_t sum = 0; sum < distribution.size(); ++sum) {
    if (distance(sum) >= seen) p += distribution[sum];
  }
  return std::min(p, 1.0);
}

}  // namespace scoville::stats
