#include "stats/permutation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "stats/finite.hpp"
#include "stats/mann_whitney.hpp"
#include "stats/summary.hpp"

namespace scoville::stats {

std::optional<double> permutation_p_of_means(std::span<const double> base, std::span<const double> other) {
  if (base.empty() || other.empty() || !all_finite(base) || !all_finite(other)) return std::nullopt;
  if (2 / smallest_rank_sum_p(base.size(), other.size()) > kMostDeals) return std::nullopt;
  std::vector<double> values(base.begin(), base.end());
  values.insert(values.end(), other.begin(), other.end());
  const auto centre = mean(values);
  if (!centre) return std::nullopt;
  // About their mean, all values add up to 0, and the distance of the means grows with the sum of either arm.
  double scale = 0;
  for (double& value : values) {
    value -= *centre;
    scale += std::fabs(value);
  }
  if (!std::isfinite(scale)) return std::nullopt;
  const double seen = std::fabs(std::accumulate(values.begin(), values.begin() + std::ssize(base), 0.0));
  const double limit = seen - 1e-12 * scale;  // sums that are equal on paper may differ in their last digit

  std::vector<char> in_base(values.size(), 0);
  std::fill_n(in_base.begin(), base.size(), char{1});
  std::size_t deals = 0, as_far = 0;
  do {
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) sum += in_base[i] != 0 ? values[i] : 0.0;
    ++deals;
    as_far += std::fabs(sum) >= limit ? 1U : 0U;
  } while (std::ranges::prev_permutation(in_base).found);
  return static_cast<double>(as_far) / static_cast<double>(deals);
}

}  // namespace scoville::stats
