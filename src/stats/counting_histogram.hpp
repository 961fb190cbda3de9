#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace scoville::stats {

/// Counts of whole numbers: exact order statistics of a hundred million values in the room of how many differ.
///
/// Values below kDense lie in an array, others (negative ones too) in a map: fast where nearly all are small.
class CountingHistogram {
 public:
  void add(std::int64_t value) {
    ++count_;
    if (value >= 0 && value < kDense) {
      if (dense_.empty()) dense_.resize(kDense);
      ++dense_[static_cast<std::size_t>(value)];
    } else {
      ++sparse_[value];
    }
  }
  void merge(const CountingHistogram& other);

  std::uint64_t count() const { return count_; }
  std::uint64_t count_of(std::int64_t value) const;
  /// x_(rank), from 1. Precondition: 1 <= rank <= count().
  std::int64_t at_rank(std::uint64_t rank) const;
  /// Nearest rank (quantile.hpp); nullopt without values.
  std::optional<std::int64_t> quantile(double p) const;
  /// numpy's linear rule (quantile.hpp); nullopt without values.
  std::optional<double> linear_quantile(double p) const;

 private:
  static constexpr std::int64_t kDense = 1 << 16;
  std::vector<std::uint32_t> dense_;
  std::map<std::int64_t, std::uint64_t> sparse_;
  std::uint64_t count_ = 0;
};

}  // namespace scoville::stats
