#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/units.hpp"

namespace scoville::stats {

/// Counts of durations from 0 to 1 h that merge without loss, for what is too much to keep one by one.
///
/// Log-linear like HdrHistogram: each nanosecond up to 2,047 has its bucket, above it each doubling is cut into 1,024.
/// A value is read back as the middle of its bucket, at most 0.05 % away. There is one layout, so any two merge, and
/// the counts of a thousand clients or ranks add up to what one would have recorded: never average their percentiles
/// instead.
///
/// 264 KiB, all taken in the constructor: record() allocates nothing, and costs a bit scan and an addition. Not
/// thread-safe; each recording thread owns one, merged at the end.
class LogHistogram {
 public:
  static constexpr Nanos kMost = std::chrono::hours(1);
  static constexpr int kSubBucketBits = 10;
  /// Names the layout where counts are stored or sent; a change of it is another layout.
  static constexpr const char* kLayout = "log2/1024/ns/1h";

  LogHistogram();

  /// A negative duration or one above 1 h is counted as such and has no bucket: it is never clamped into one.
  void record(Nanos value, std::uint64_t times = 1);
  void merge(const LogHistogram& other);

  /// Everything recorded, with what was out of range.
  std::uint64_t count() const { return count_; }
  std::uint64_t below_range() const { return below_; }
  std::uint64_t above_range() const { return above_; }

  /// Nearest rank, p in [0, 1]. Nullopt when empty, and where the rank falls on a value out of range.
  std::optional<Nanos> quantile(double p) const;

  /// For storing and sending: as many numbers as the layout has buckets.
  std::span<const std::uint64_t> counts() const { return buckets_; }
  /// The reverse. Nullopt where the number of counts is not this layout's.
  static std::optional<LogHistogram> from_counts(std::span<const std::uint64_t> counts, std::uint64_t below_range = 0,
                                                 std::uint64_t above_range = 0);

 private:
  std::vector<std::uint64_t> buckets_;
  std::uint64_t count_ = 0;
  std::uint64_t below_ = 0;
  std::uint64_t above_ = 0;
};

}  // namespace scoville::stats
