#pragma once

namespace scoville::stats {

/// Closed, lower <= upper, in the unit of what it bounds.
struct Interval {
  double lower = 0;
  double upper = 0;

  friend bool operator==(const Interval&, const Interval&) = default;
};

}  // namespace scoville::stats
