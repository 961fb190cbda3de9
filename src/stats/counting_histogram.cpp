#include "stats/counting_histogram.hpp"

#include <cmath>

#include "base/check.hpp"
#include "stats/quantile.hpp"

namespace scoville::stats {

void CountingHistogram::merge(const CountingHistogram& other) {
  if (dense_.empty() && !other.dense_.empty()) dense_.resize(kDense);
  for (std::size_t i = 0; i < other.dense_.size(); ++i) dense_[i] += other.dense_[i];
  for (const auto& [value, count] : other.sparse_) sparse_[value] += count;
  count_ += other.count_;
}

std::uint64_t CountingHistogram::count_of(std::int64_t value) const {
  if (value >= 0 && value < kDense) return dense_.empty() ? 0 : dense_[static_cast<std::size_t>(value)];
  const auto found = sparse_.find(value);
  return found == sparse_.end() ? 0 : found->second;
}

std::int64_t CountingHistogram::at_rank(std::uint64_t rank) const {
  SCOVILLE_CHECK(rank >= 1 && rank <= count_, "a rank lies within the sample");
  std::uint64_t seen = 0;
  auto sparse = sparse_.begin();
  for (; sparse != sparse_.end() && sparse->first < 0; ++sparse) {
    if ((seen += sparse->second) >= rank) return sparse->first;
  }
  for (std::size_t i = 0; i < dense_.size(); ++i) {
    if ((seen += dense_[i]) >= rank) return static_cast<std::int64_t>(i);
  }
  for (; sparse != sparse_.end(); ++sparse) {
    if ((seen += sparse->second) >= rank) return sparse->first;
  }
  SCOVILLE_CHECK(false, "the counts add up");
}

std::optional<std::int64_t> CountingHistogram::quantile(double p) const {
  const auto rank = nearest_rank(count_, p);
  if (!rank) return std::nullopt;
  return at_rank(*rank);
}

std::optional<double> CountingHistogram::linear_quantile(double p) const {
  if (count_ == 0 || !(p >= 0 && p <= 1)) return std::nullopt;
  const double place = p * static_cast<double>(count_ - 1);
  const auto below = static_cast<std::uint64_t>(std::floor(place));
  const double low = static_cast<double>(at_rank(below + 1));
  if (below + 2 > count_) return low;
  return low + (place - std::floor(place)) * (static_cast<double>(at_rank(below + 2)) - low);
}

}  // namespace scoville::stats
