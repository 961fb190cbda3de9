#pragma once

#include <array>
#include <optional>
#include <vector>

#include "analyse/quantiles.hpp"
#include "event/request_record.hpp"
#include "stats/batch_means.hpp"
#include "stats/counting_histogram.hpp"

namespace scoville::analyse {

/// Gaps between token events, pooled over the requests that have any: the ICL.
///
/// Exact on a grid of 1 µs, in the same memory for a hundred gaps or a hundred million. A quantile is supported by the
/// number of requests, however many gaps they have. Its interval is by batches of requests alone, for neighbours share
/// their request's fate. Where more than half of the gaps are 0 the transport gathered events: mean and extremes stand,
/// quantiles are withheld.
class GapPool {
 public:
  /// `requests`: how many will be added that may count, for batches of equal size.
  explicit GapPool(std::size_t requests) : expected_(requests) {}

  /// Nothing of a failed request, or of one whose stream was collected on its way. `gaps`: event::chunk_gaps(record).
  void add(const event::RequestRecord& record, const std::vector<Nanos>& gaps);

  Metric metric(const std::vector<double>& quantiles) const;
  /// Share of gaps that are 0: their events came together. Empty without gaps.
  std::optional<double> zero_share() const;

  /// Whether add() would count it, as far as its head tells.
  static bool may_count(const event::RequestRecord& record);

 private:
  void put_interval(Quantile& quantile, double whole) const;

  std::size_t expected_, seen_ = 0, requests_ = 0, zeros_ = 0;
  double sum_ = 0;
  std::optional<Nanos> smallest_, largest_;
  std::array<stats::CountingHistogram, stats::kFewestBatches> batches_;
};

}  // namespace scoville::analyse
