#pragma once

#include <optional>
#include <string_view>

#include "stats/estimate.hpp"

namespace scoville::stats {

/// What may be said of one system against another, in one measure. "Faster" is short for better.
enum class Verdict {
  faster,                 ///< better by more than the margin
  faster_size_uncertain,  ///< better; by more than the margin or by less, these runs cannot tell
  equivalent,             ///< within the margin, whichever is ahead
  slower_size_uncertain,
  slower,
  inconclusive,  ///< these runs cannot tell; see detectable.hpp for what they could have seen
};
std::string_view name_of(Verdict verdict);

enum class Inconclusive {
  none,          ///< there is a verdict
  too_few_runs,  ///< no interval at the level asked for: fewer than four runs a side, or six pairs, at 5 %
  not_resolved,  ///< the interval is too wide, or p too large, for a family of this size
};
std::string_view name_of(Inconclusive reason);

struct Judgement {
  Verdict verdict = Verdict::inconclusive;
  Inconclusive reason = Inconclusive::not_resolved;

  friend bool operator==(const Judgement&, const Judgement&) = default;
};

/// A difference below this is none for whoever buys: 2 % (MLPerf Inference audits call more "materially different"), or
/// twice what the same system differs from itself, if that is more.
constexpr double kLeastMargin = 0.02;
constexpr double kLeastMarginBetweenMachines = 0.05;  ///< two samples of one product differ among themselves

/// max(least, 2 · floor). `aa_floor` from noise_floor.hpp, >= 0; unknown, the least alone stands, and whoever shows the
/// verdict says so. Nullopt for a floor or a least that is negative or not finite.
std::optional<double> margin_for(std::optional<double> aa_floor, double least = kLeastMargin);

enum class Better { higher, lower };

/// A ratio other / base as one where above 1 is better: for a latency its reciprocal, with the ends changing places.
/// Nullopt where the ratio, or its lower end, is not > 0.
std::optional<Estimate> oriented(const Estimate& ratio, Better better);

/// With [lo, hi] the oriented interval and m the margin: lo > 1 + m faster; hi < 1/(1 + m) slower; within
/// [1/(1 + m), 1 + m] equivalent; lo > 1 faster_size_uncertain; hi < 1 slower_size_uncertain; else inconclusive.
///
/// A difference is also asked of the test, p <= alpha, where p is adjusted for its family and the interval has the
/// level of the family: with ties, or under Holm, the two may disagree, and then nothing is claimed. Nullopt where p is
/// outside [0, 1], alpha outside (0, 1), the margin negative, or the interval not 0 < lo <= hi.
std::optional<Judgement> judge(const std::optional<CoveredInterval>& ratio, double margin, double p,
                               double alpha = 0.05);

}  // namespace scoville::stats
