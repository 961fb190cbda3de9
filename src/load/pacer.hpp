#pragma once

#include <cstdint>
#include <optional>

#include "base/units.hpp"
#include "plan/bench_plan.hpp"

namespace scoville::load {

/// When each request is due, from the start of the load.
///
/// A pacer reads no clock: it answers from the plan and a seed alone, so an hour of arrivals is tested in microseconds
/// and the same seed replays the same load, whatever the number of threads: each thread walks through the whole
/// schedule and takes its own share. Gaps are true draws, never rescaled to fit a duration: the number of arrivals in a
/// second varies as it does for real users. Constant arrivals begin at 0, random ones after their first gap.
///
/// Not thread-safe; each load thread owns one.
class Pacer {
 public:
  /// `total`: number of requests of the schedule, for the ramp; 0: the ramp runs over `duration`.
  Pacer(const plan::Arrivals& arrivals, std::size_t total, std::optional<Nanos> duration);

  /// Due time of request 0, 1, 2, …
  Nanos next();

 private:
  double rate_at(double progress) const;

  plan::Arrivals arrivals_;
  std::size_t total_;
  double duration_s_;
  std::uint64_t index_ = 0;
  double at_s_ = 0;  // due time of the request before
};

}  // namespace scoville::load
