#pragma once

#include <cstdint>
#include <optional>

#include "dataset/prompt_source.hpp"
#include "load/pacer.hpp"
#include "plan/bench_plan.hpp"

namespace scoville::load {

/// When each chain of requests is due, from the start of the load: drawn by a Pacer, or as a trace recorded it.
///
/// Not thread-safe; each load thread owns one and asks for ever higher numbers.
class DueTimes {
 public:
  /// `total`: requests of the schedule; see Pacer. `source` must outlive it.
  DueTimes(const plan::Arrivals& arrivals, std::size_t total, std::optional<Nanos> duration,
           const dataset::PromptSource& source);

  /// Empty: the trace is over.
  std::optional<Nanos> of(std::uint64_t number);

 private:
  const dataset::PromptSource& source_;
  std::optional<double> trace_speed_;
  std::optional<Pacer> pacer_;
  std::uint64_t drawn_ = 0;  // by the pacer
  Nanos last_{};
};

}  // namespace scoville::load
