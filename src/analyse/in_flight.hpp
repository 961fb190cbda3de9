#pragma once

#include <optional>
#include <vector>

#include "analyse/latencies.hpp"

namespace scoville::analyse {

/// A stretch of time.
struct Window {
  Instant from{}, to{};
  Nanos length() const { return to - from; }
  bool holds(Instant at) const { return at >= from && at < to; }
};

/// How many requests were in flight, from the write of each to its end: what the server had, not what a client had asked.
class InFlight {
 public:
  explicit InFlight(const Records& records);

  std::size_t peak() const { return peak_; }
  /// Mean over time.
  double mean(const Window& window) const;
  /// From the first moment with at least `target` in flight to the last one; empty if there was none.
  std::optional<Window> at_least(double target) const;

 private:
  struct Step {
    Instant at{};
    std::size_t level = 0;  ///< from `at` on
  };
  std::vector<Step> steps_;
  std::size_t peak_ = 0;
};

}  // namespace scoville::analyse
