#pragma once

#include <string>
#include <vector>

#include "decide/comparison.hpp"

namespace scoville::decide {

/// One arm in an order by one metric.
struct Ranked {
  std::string name;
  std::size_t rank = 1;  ///< 1 + the arms that are better by the test: those that do not separate may share it
  std::optional<double> median;
  std::vector<std::string> better, tied;  ///< arms that are better; arms that it does not separate from
};

/// Two arms of a ranking, with the verdict on the second against the first.
struct RankedPair {
  std::string base, candidate;
  MetricComparison comparison;
};

/// Arms by one metric, best first. Every pair is compared, so the family is all pairs; where it is too large for the
/// runs that there are, nothing separates and `is_too_large` says so.
struct Ranking {
  std::string metric;
  std::vector<Ranked> arms;
  std::vector<RankedPair> pairs;
  std::size_t family = 0;
  bool is_too_large = false;
};

/// How many comparisons a ranking of so many arms takes.
std::size_t pairs_of(std::size_t arms);

/// `arms` have passed their gates against each other. `options.primary` is the one metric ranked by.
Ranking rank(const std::vector<Arm>& arms, const Gate& gate, const CompareOptions& options);

}  // namespace scoville::decide
