#pragma once

#include <optional>
#include <vector>

#include "event/request_record.hpp"
#include "stats/counting_histogram.hpp"

namespace scoville::analyse {

/// Mean, median and P99 as numpy gives them (linear interpolation), in nanoseconds.
struct NumpyStatistics {
  std::size_t n = 0;
  std::optional<double> mean, median, p99;
};

/// What `vllm bench serve` would have printed for the same run.
///
/// Its clock starts when a request is taken up (not when it was due), its first token is the first chunk that names a
/// choice, with text or without, its last one the last such chunk; TPOT divides by n − 1 whatever the first chunk held;
/// ITL are the gaps between those chunks. Failed requests leave no trace.
struct VllmView {
  NumpyStatistics ttft, tpot, itl, e2el;
};

/// Gathers it from request after request; ITL on a grid of 1 µs.
class VllmPool {
 public:
  void add(const event::RequestRecord& record);
  VllmView view() const;

 private:
  void add_gap(Nanos gap);

  std::vector<double> ttft_, tpot_, e2el_;
  stats::CountingHistogram itl_;
  double itl_sum_ = 0;
};

}  // namespace scoville::analyse
