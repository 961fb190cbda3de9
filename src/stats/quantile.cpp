#include "stats/quantile.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stats/distributions.hpp"
#include "stats/finite.hpp"
#include "stats/search.hpp"

namespace scoville::stats {
namespace {

// A tail that equals α/2 on paper (k = 5 runs, level 15/16) must not miss it by the last digit of the beta function,
// which is exact there on x86-64 but not by promise.
constexpr double kTailSlack = 1 + 1e-12;

}  // namespace

std::optional<std::size_t> nearest_rank(std::size_t n, double p) {
  if (n == 0 || !(p >= 0 && p <= 1)) return std::nullopt;
  const double product = p * static_cast<double>(n);
  const double whole = std::round(product);
  // p and the product are each rounded by at most half an epsilon.
  const bool is_whole = std::fabs(product - whole) <= 2 * std::numeric_limits<double>::epsilon() * product;
  const auto rank = static_cast<std::size_t>(is_whole ? whole : std::ceil(product));
  return std::clamp<std::size_t>(rank, 1, n);
}

std::optional<double> nearest_rank_quantile(std::span<const double> sorted, double p) {
  const auto rank = nearest_rank(sorted.size(), p);
  return rank ? if_finite(sorted[*rank - 1]) : std::nullopt;
}

std::optional<double> linear_quantile(std::span<const double> sorted, double p) {
  if (sorted.empty() || !(p >= 0 && p <= 1)) return std::nullopt;
  const double position = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const double weight = position - static_cast<double>(below);
  if (weight == 0 || below + 1 == sorted.size()) return if_finite(sorted[below]);
  return if_finite(sorted[below] + weight * (sorted[below + 1] - sorted[below]));
}

std::optional<RankInterval> rank_interval(std::size_t n, double p, double level) {
  if (n == 0 || !(p > 0 && p < 1) || !(level > 0 && level < 1)) return std::nullopt;
  const double tail = (1 - level) / 2 * kTailSlack;
  const auto lower = first_where(0, n, [&](std::size_t k) { return binomial_at_most(k, n, p) > tail; });
  const auto upper = 1 + first_where(0, n, [&](std::size_t k) { return binomial_more_than(k, n, p) <= tail; });
  if (lower < 1 || upper > n || lower > upper) return std::nullopt;
  return RankInterval{lower, upper, 1 - binomial_at_most(lower - 1, n, p) - binomial_more_than(upper - 1, n, p)};
}

std::optional<QuantileInterval> quantile_interval(std::span<const double> sorted, double p, double level) {
  const auto ranks = rank_interval(sorted.size(), p, level);
  if (!ranks) return std::nullopt;
  const double lower = sorted[ranks->lower - 1], upper = sorted[ranks->upper - 1];
  if (!std::isfinite(lower) || !std::isfinite(upper)) return std::nullopt;
  return QuantileInterval{lower, upper, ranks->coverage};
}

}  // namespace scoville::stats
