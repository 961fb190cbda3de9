#include "stats/signed_rank.hpp"

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

bool can_judge(std::span<const double> differences) {
  return !differences.empty() && differences.size() <= kMostPairs && all_finite(differences);
}

std::optional<std::vector<double>> log_ratios(std::span<const double> base, std::span<const double> other) {
  const auto log_base = logs(base), log_other = logs(other);
  if (!log_base || !log_other || base.size() != other.size()) return std::nullopt;
  std::vector<double> ratios;
  for (std::size_t i = 0; i < base.size(); ++i) ratios.push_back((*log_other)[i] - (*log_base)[i]);
  return ratios;
}

}  // namespace

std::optional<SignedRankTest> signed_rank_test(std::span<const double> differences) {
  if (!can_judge(differences)) return std::nullopt;
  std::vector<double> sizes;
  std::vector<bool> is_positive;
  for (const double difference : differences) {
    if (difference == 0) continue;
    sizes.push_back(std::fabs(difference));
    is_positive.push_back(difference > 0);
  }
  std::vector<std::size_t> doubled;
  std::size_t positive = 0;
  for (const double rank : mid_ranks(sizes)) {
    doubled.push_back(static_cast<std::size_t>(std::lround(2 * rank)));
    if (is_positive[doubled.size() - 1]) positive += doubled.back();
  }
  const std::size_t all = std::accumulate(doubled.begin(), doubled.end(), std::size_t{0});
  return SignedRankTest{static_cast<double>(positive) / 2, sizes.size(),
                        both_tails(sums_of_coins(doubled), positive, all)};
}

std::optional<Estimate> centre_of(std::span<const double> differences, double level) {
  if (!can_judge(differences) || !(level > 0 && level < 1)) return std::nullopt;
  std::vector<double> averages;
  averages.reserve(differences.size() * (differences.size() + 1) / 2);
  for (std::size_t i = 0; i < differences.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) averages.push_back(differences[i] / 2 + differences[j] / 2);
  }
  std::ranges::sort(averages);
  std::vector<std::size_t> ranks(differences.size());
  std::iota(ranks.begin(), ranks.end(), std::size_t{1});
  double tail = 0;
  const std::size_t k = largest_rank_below(sums_of_coins(ranks), (1 - level) / 2, tail);
  Estimate estimate{*linear_quantile(averages, 0.5), std::nullopt};
  if (k > 0) estimate.interval = {averages[k - 1], averages[averages.size() - k], 1 - 2 * tail};
  return estimate;
}

std::optional<SignedRankTest> paired_test(std::span<const double> base, std::span<const double> other) {
  const auto ratios = log_ratios(base, other);
  return ratios ? signed_rank_test(*ratios) : std::nullopt;
}

std::optional<Estimate> paired_ratio(std::span<const double> base, std::span<const double> other, double level) {
  const auto ratios = log_ratios(base, other);
  const auto centre = ratios ? centre_of(*ratios, level) : std::nullopt;
  return centre ? exponential(*centre) : std::nullopt;
}

double smallest_signed_rank_p(std::size_t pairs) {
  return pairs == 0 ? 1.0 : std::exp2(1 - static_cast<double>(pairs));
}

}  // namespace scoville::stats
