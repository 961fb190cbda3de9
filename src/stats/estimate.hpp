#pragma once

#include <optional>

namespace scoville::stats {

/// Closed, lower <= upper. A distribution-free interval can have only certain levels, so it says which one it has.
struct CoveredInterval {
  double lower = 0;
  double upper = 0;
  double coverage = 0;  ///< the level that it really has, at least the level asked for

  friend bool operator==(const CoveredInterval&, const CoveredInterval&) = default;
};

/// A number and the doubt in it. No interval: the sample is too small for the level asked, and the number stands alone.
struct Estimate {
  double value = 0;
  std::optional<CoveredInterval> interval;
};

}  // namespace scoville::stats
