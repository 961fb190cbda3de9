#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "event/request_record.hpp"
#include "stats/counting_histogram.hpp"

namespace scoville::analyse {

/// How far our arrival stamps lie behind the emit times that a scripted endpoint put into its events: the instrument's
/// own error, the loopback path included. Only where both clocks are one: same machine.
struct EmitError {
  std::size_t n = 0;
  std::optional<Nanos> p50, p99, largest;
  std::optional<double> icl_error_sd_ns;  ///< sd of (our gap − the emitted gap), pooled
};

/// Gathers it from request after request, to 0.1 µs.
class EmitPool {
 public:
  void add(const event::RequestRecord& record);
  /// Empty where no event carried an emit time.
  std::optional<EmitError> error() const;

 private:
  stats::CountingHistogram errors_;
  std::int64_t largest_ = INT64_MIN;
  double sum_ = 0, squares_ = 0;
  std::size_t gaps_ = 0;
};

}  // namespace scoville::analyse
