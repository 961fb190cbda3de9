#include "stats/mann_whitney.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "stats/finite.hpp"
#include "stats/logs.hpp"
#include "stats/quantile.hpp"
#include "stats/ranks.hpp"
#include "stats/subset_sums.hpp"

namespace scoville::stats {
namespace {

bool can_compare(std::span<const double> base, std::span<const double> other) {
  return !base.empty() && !other.empty() && base.size() + other.size() <= kMostCompared && all_finite(base) &&
         all_finite(other);
}

/// P(U = u) for arms of n and m without ties. U is the rank sum less its least, so the ranks 0 … n+m-1 are dealt.
std::vector<double> u_distribution(std::size_t n, std::size_t m) {
  std::vector<std::size_t> ranks(n + m);
  std::iota(ranks.begin(), ranks.end(), std::size_t{0});
  const std::size_t few = std::min(n, m), least = few * (few - 1) / 2;
  const std::vector<double> sums = sums_of_choices(ranks, few);
  const auto from = sums.begin() + static_cast<std::ptrdiff_t>(least);
  return {from, from + static_cast<std::ptrdiff_t>(n * m + 1)};
}

}  // namespace

std::optional<RankSumTest> rank_sum_test(std::span<const double> base, std::span<const double> other) {
  if (!can_compare(base, other)) return std::nullopt;
  std::vector<double> both(base.begin(), base.end());
  both.insert(both.end(), other.begin(), other.end());
  // Mid-ranks are whole or half: doubled, they are whole.
  std::vector<std::size_t> doubled;
  for (const double rank : mid_ranks(both)) doubled.push_back(static_cast<std::size_t>(std::lround(2 * rank)));
  const auto border = doubled.begin() + static_cast<std::ptrdiff_t>(base.size());
  const std::size_t base_sum = std::accumulate(doubled.begin(), border, std::size_t{0});
  const std::size_t other_sum = std::accumulate(border, doubled.end(), std::size_t{0});

  const bool base_is_small = base.size() <= other.size();
  const std::size_t few = std::min(base.size(), other.size());
  const std::vector<double> distribution = sums_of_choices(doubled, few);
  const auto m = static_cast<double>(other.size()), pairs = m * static_cast<double>(base.size());
  RankSumTest test;
  test.u = static_cast<double>(other_sum) / 2 - m * (m + 1) / 2;
  test.cliffs_delta = 2 * test.u / pairs - 1;
  test.p = both_tails(distribution, base_is_small ? base_sum : other_sum, 2 * few * (both.size() + 1));
  return test;
}

std::optional<Estimate> shift_between(std::span<const double> base, std::span<const double> other, double level) {
  if (!can_compare(base, other) || !(level > 0 && level < 1)) return std::nullopt;
  std::vector<double> differences;
  differences.reserve(base.size() * other.size());
  for (const double b : other) {
    for (const double a : base) differences.push_back(b - a);
  }
  if (!all_finite(differences)) return std::nullopt;
  std::ranges::sort(differences);
  double tail = 0;
  const std::size_t k = largest_rank_below(u_distribution(base.size(), other.size()), (1 - level) / 2, tail);
  Estimate estimate{*linear_quantile(differences, 0.5), std::nullopt};
  if (k > 0) estimate.interval = {differences[k - 1], differences[differences.size() - k], 1 - 2 * tail};
  return estimate;
}

std::optional<Estimate> ratio_between(std::span<const double> base, std::span<const double> other, double level) {
  const auto log_base = logs(base), log_other = logs(other);
  if (!log_base || !log_other) return std::nullopt;
  const auto shift = shift_between(*log_base, *log_other, level);
  return shift ? exponential(*shift) : std::nullopt;
}

double smallest_rank_sum_p(std::size_t n, std::size_t m) {
  double choices = 1;
  for (std::size_t i = 1; i <= std::min(n, m); ++i) {
    choices = choices * static_cast<double>(std::max(n, m) + i) / static_cast<double>(i);
  }
  return std::min(1.0, 2 / choices);
}

}  // namespace scoville::stats
