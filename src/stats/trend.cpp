#include "stats/trend.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/distributions.hpp"
#include "stats/finite.hpp"

namespace scoville::stats {
namespace {

/// Pairs (i < j) with values[i] > values[j], counted while merge-sorting (Knight 1966). Leaves `values` sorted.
std::int64_t sort_counting_falls(std::span<double> values, std::span<double> scratch) {
  if (values.size() < 2) return 0;
  const std::size_t half = values.size() / 2;
  std::int64_t falls = sort_counting_falls(values.first(half), scratch.first(half)) +
                       sort_counting_falls(values.subspan(half), scratch.subspan(half));
  std::size_t left = 0, right = half;
  for (double& next : scratch) {
    const bool from_left = right == values.size() || (left < half && values[left] <= values[right]);
    if (!from_left) falls += static_cast<std::int64_t>(half - left);
    next = values[from_left ? left++ : right++];
  }
  std::ranges::copy(scratch, values.begin());
  return falls;
}

struct Ties {
  std::int64_t pairs = 0;
  double variance_lost = 0;  // Σ t(t-1)(2t+5)
};

Ties ties_in(std::span<const double> sorted) {
  Ties ties;
  for (auto from = sorted.begin(); from != sorted.end();) {
    const auto to = std::find_if(from, sorted.end(), [&](double value) { return value != *from; });
    const auto t = static_cast<double>(to - from);
    ties.pairs += (to - from) * (to - from - 1) / 2;
    ties.variance_lost += t * (t - 1) * (2 * t + 5);
    from = to;
  }
  return ties;
}

}  // namespace

std::optional<MannKendall> mann_kendall(std::span<const double> series) {
  if (series.size() < 3 || !all_finite(series)) return std::nullopt;
  std::vector<double> sorted(series.begin(), series.end()), scratch(series.size());
  const std::int64_t falls = sort_counting_falls(sorted, scratch);
  const Ties ties = ties_in(sorted);
  const auto count = static_cast<std::int64_t>(series.size());
  const auto n = static_cast<double>(count);

  MannKendall test;
  test.s = count * (count - 1) / 2 - ties.pairs - 2 * falls;
  test.variance = (n * (n - 1) * (2 * n + 5) - ties.variance_lost) / 18;
  if (!(test.variance > 0)) return std::nullopt;
  const int sign = (test.s > 0) - (test.s < 0);
  test.z = static_cast<double>(test.s - sign) / std::sqrt(test.variance);
  test.p = normal_two_sided_p(test.z);
  return test;
}

std::optional<double> theil_sen_slope(std::span<const double> series) {
  const std::size_t n = series.size();
  if (n < 2 || n > kTheilSenMost || !all_finite(series)) return std::nullopt;
  std::vector<double> slopes;
  slopes.reserve(n * (n - 1) / 2);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) slopes.push_back((series[j] - series[i]) / static_cast<double>(j - i));
  }
  const auto upper = slopes.begin() + static_cast<std::ptrdiff_t>(slopes.size() / 2);
  std::ranges::nth_element(slopes, upper);
  if (slopes.size() % 2 == 1) return if_finite(*upper);
  return if_finite((*std::max_element(slopes.begin(), upper) + *upper) / 2);
}

}  // namespace scoville::stats
