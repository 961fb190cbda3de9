#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analyse/calibration.hpp"
#include "analyse/in_flight.hpp"
#include "event/request_record.hpp"
#include "stats/counting_histogram.hpp"

namespace scoville::analyse {

/// By how much a latency of one request may be off through the instrument: docs/method.md, "Error bound". Empty where
/// the reason says why, or where the run has no such latency.
struct ErrorBound {
  std::optional<Nanos> ttft, tpot, icl, e2e;
  NoBound reason = NoBound::not_calibrated;
  std::optional<double> events_per_s;  ///< token events in the busiest whole second; what the calibration is asked for
  std::optional<Nanos> arrival;        ///< the calibrated error at that rate
  std::optional<Nanos> calibrated;     ///< when, wall clock since 1970
};

/// What token events and writes say about their own uncertainty: gathered from request after request.
class ErrorPool {
 public:
  explicit ErrorPool(const Window& full);

  /// A request that does not count (warm-up) adds to the rate of its time, and to nothing else; so does a failed one.
  void add(const event::RequestRecord& record, bool counts);

  /// `calibration` may be null. A run whose instrument was the bottleneck has no bound.
  ErrorBound bound(const Calibration* calibration, const CalibrationSetting& setting,
                   const Instrument& instrument) const;

 private:
  std::optional<double> events_per_s() const;

  Window full_;
  std::vector<std::uint64_t> seconds_;  // token events in each whole second
  std::uint64_t events_ = 0;
  stats::CountingHistogram zeros_, firsts_, ends_, gaps_, decodes_;  // uncertainties, in units of 0.1 µs, rounded up
  stats::CountingHistogram divisors_;                                // of TPOT
};

}  // namespace scoville::analyse
