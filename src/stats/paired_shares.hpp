#pragma once

#include <cstdint>
#include <optional>

#include "stats/interval.hpp"

namespace scoville::stats {

/// Two systems on the same questions: how many of them both, one or neither answered right.
struct PairedCounts {
  std::uint64_t both = 0, base_only = 0, other_only = 0, neither = 0;

  std::uint64_t pairs() const { return both + base_only + other_only + neither; }
  std::uint64_t base() const { return both + base_only; }
  std::uint64_t other() const { return both + other_only; }
  friend bool operator==(const PairedCounts&, const PairedCounts&) = default;
};

/// Intervals of other's share against base's, by inverting the score test: it takes the variance that would hold if the
/// value asked about were the true one, so that no disagreement at all still leaves doubt. 380 questions that both get
/// right bound the ratio from below by 380 / (380 + 3.84) = 0.98999, not by 1. Nullopt without pairs, and for a level
/// outside (0, 1).

/// Of other's share - base's (Tango 1998).
std::optional<Interval> share_difference(const PairedCounts& counts, double level = 0.95);

/// Of other's share / base's (the test of Nam and Blackwelder 2002; its constrained estimates are the root of a
/// quadratic, see the .cpp). Nullopt also where base got none right. `upper` is infinity where any ratio fits.
std::optional<Interval> share_ratio(const PairedCounts& counts, double level = 0.95);

/// How many pairs it takes until the interval of the ratio lies to one side of `ratio`, if the four shares stay as they
/// are: the statistic grows with the root of their number. No less than there are; nullopt where they point exactly at
/// `ratio`, and where share_ratio() has no answer.
std::optional<double> pairs_to_settle(const PairedCounts& counts, double ratio, double level = 0.95);

}  // namespace scoville::stats
