#include "stats/log_histogram.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "stats/quantile.hpp"

namespace scoville::stats {
namespace {

/// Values below 2^(bits + 1) stand for themselves; above, the leading bits + 1 bits choose the bucket.
constexpr std::size_t index_of(std::uint64_t value) {
  const int width = std::bit_width(value);
  const int shift = std::max(0, width - LogHistogram::kSubBucketBits - 1);
  return (static_cast<std::size_t>(shift) << LogHistogram::kSubBucketBits) + static_cast<std::size_t>(value >> shift);
}

constexpr Nanos middle_of(std::size_t index) {
  const std::size_t row = index >> LogHistogram::kSubBucketBits;
  if (row < 2) return Nanos(index);
  const std::size_t shift = row - 1;
  const std::uint64_t low = (index - (shift << LogHistogram::kSubBucketBits)) << shift;
  return Nanos(low + (std::uint64_t{1} << shift) / 2);
}

constexpr std::size_t kBuckets = index_of(static_cast<std::uint64_t>(LogHistogram::kMost.count())) + 1;

}  // namespace

LogHistogram::LogHistogram() : buckets_(kBuckets) {}

void LogHistogram::record(Nanos value, std::uint64_t times) {
  count_ += times;
  if (value < Nanos::zero()) {
    below_ += times;
  } else if (value > kMost) {
    above_ += times;
  } else {
    buckets_[index_of(static_cast<std::uint64_t>(value.count()))] += times;
  }
}

void LogHistogram::merge(const LogHistogram& other) {
  std::ranges::transform(buckets_, other.buckets_, buckets_.begin(), std::plus());
  count_ += other.count_;
  below_ += other.below_;
  above_ += other.above_;
}

std::optional<Nanos> LogHistogram::quantile(double p) const {
  const auto rank = nearest_rank(count_, p);
  if (!rank) return std::nullopt;
  std::uint64_t passed = below_;
  if (*rank <= passed) return std::nullopt;
  for (std::size_t i = 0; i < buckets_.size(); ++i) {
    passed += buckets_[i];
    if (*rank <= passed) return std::min(middle_of(i), kMost);
  }
  return std::nullopt;
}

std::optional<LogHistogram> LogHistogram::from_counts(std::span<const std::uint64_t> counts, std::uint64_t below_range,
                                                      std::uint64_t above_range) {
  if (counts.size() != kBuckets) return std::nullopt;
  LogHistogram histogram;
  std::ranges::copy(counts, histogram.buckets_.begin());
  histogram.below_ = below_range;
  histogram.above_ = above_range;
  histogram.count_ = std::accumulate(counts.begin(), counts.end(), below_range + above_range);
  return histogram;
}

}  // namespace scoville::stats
