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

/// How many requests were in flight, from the write of each to its end: what the server had, not what a client had
/// asked.
class InFlight {
 public:
  explicit InFlight(const Records& records);

  /// Most at any moment of the window.
  std::size_t peak(const Window& window) const;
  /// Mean over time.
  double mean(const Window& window) const;
  /// From the first moment of `window` with at least `target` in flight to the last one; empty if there was none, or if
  /// what lies between falls below `target` on average.
  std::optional<Window> at_least(double target, const Window& window) const;

 private:
  struct Step {
    Instant at{};
    std::size_t level = 0;  ///< from `at` on
  };
  /// The part of step `i` that lies within `window`; its length is 0 or less where there is none.
  Window part(std::size_t i, const Window& window) const;

  std::vector<Step> steps_;
};

}  // namespace scoville::analyse
