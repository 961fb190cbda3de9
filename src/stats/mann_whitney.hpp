#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "stats/estimate.hpp"

namespace scoville::stats {

/// Two arms, one number per run: is there a difference, and how large? (Mann and Whitney 1947; Hodges and Lehmann 1963;
/// Hollander, Wolfe and Chicken, Nonparametric Statistical Methods, chapter 4.)
///
/// Requests of one run share its server, so they are not independent; runs are. Nothing is assumed about the shape of
/// their distribution. Everything here is exact, for up to kMostCompared runs of both arms together (5 ms at a
/// hundred); nullopt beyond it, for an empty arm and where a value is not finite.
constexpr std::size_t kMostCompared = 100;

struct RankSumTest {
  double u = 0;  ///< pairs (base, other) in which other is the larger; equals count a half. In [0, nm]
  double p = 0;  ///< two-sided
  /// Cliff's δ = 2u / nm - 1: P(other > base) - P(other < base). In [-1, 1].
  double cliffs_delta = 0;
};

/// p is P(|W - E W| >= |w - E W|) over all ways to deal the mid-ranks at hand to the two arms: also with ties a level
/// that holds.
std::optional<RankSumTest> rank_sum_test(std::span<const double> base, std::span<const double> other);

/// The median of the nm differences other - base, in their unit, and the interval [d_(K), d_(nm+1-K)] with K the
/// largest for which P(U <= K - 1) <= (1 - level)/2. With ties its level is at least the one stated. level in (0, 1).
std::optional<Estimate> shift_between(std::span<const double> base, std::span<const double> other, double level = 0.95);

/// other / base: the same on logarithms, so that swapping the arms gives exactly the reciprocal. All values > 0.
std::optional<Estimate> ratio_between(std::span<const double> base, std::span<const double> other, double level = 0.95);

/// 2 / C(n + m, n): the p of two arms that do not overlap. Three and three give 0.1, so they can never show a
/// difference at 5 %; four and four give 0.029. 1 with an empty arm.
double smallest_rank_sum_p(std::size_t n, std::size_t m);

}  // namespace scoville::stats
