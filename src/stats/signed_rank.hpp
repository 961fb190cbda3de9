#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "stats/estimate.hpp"

namespace scoville::stats {

/// Interleaved pairs (A B B A …), one number per run: drift of the machine that both runs of a pair share cancels out.
/// (Wilcoxon 1945; Hollander, Wolfe and Chicken, chapter 3.) Assumes that the differences of pairs spread alike to both
/// sides of their centre.
///
/// Exact for up to kMostPairs pairs; nullopt beyond it, for none and where a value is not finite.
constexpr std::size_t kMostPairs = 200;

struct SignedRankTest {
  double rank_sum = 0;  ///< of the positive differences, ranked by size; equals share the mean of their ranks
  std::size_t non_zero =
      0;         ///< pairs that differ; the others say nothing about a direction and are left out (Wilcoxon)
  double p = 0;  ///< two-sided, over all ways to flip the signs; 1 where no pair differs
};

/// Of the differences of pairs: other - base, or ln other - ln base.
std::optional<SignedRankTest> signed_rank_test(std::span<const double> differences);

/// The median of the n(n+1)/2 Walsh averages (d_i + d_j)/2, i <= j, and the interval between the K-th from either end,
/// K the largest with P(W <= K - 1) <= (1 - level)/2. level in (0, 1). No interval at 95 % with fewer than six pairs.
std::optional<Estimate> centre_of(std::span<const double> differences, double level = 0.95);

/// base[i] and other[i] are a pair; same length, all values > 0, else nullopt. Both on ln(other / base).
std::optional<SignedRankTest> paired_test(std::span<const double> base, std::span<const double> other);
std::optional<Estimate> paired_ratio(std::span<const double> base, std::span<const double> other, double level = 0.95);

/// 2^(1-n): all pairs on one side. Five pairs can never show a difference at 5 % (0.0625), six can. 1 for no pair.
double smallest_signed_rank_p(std::size_t pairs);

}  // namespace scoville::stats
