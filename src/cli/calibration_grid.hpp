#pragma once

#include <vector>

#include "analyse/calibration.hpp"

namespace scoville::cli {

/// One point of a calibration before it is measured.
struct GridPoint {
  analyse::CalibrationSetting setting;
  double events_per_s = 0;
  std::size_t streams = 0;
  Nanos gap{};       ///< between two events of a stream: streams ÷ gap is the rate
  Nanos duration{};  ///< in which requests are issued
};

/// By transport and threads, then by rate. The whole: at least as many events at each point as a P99 needs; quick:
/// fewer rates, one thread, and the largest error stands in for a P99 where events are too few.
std::vector<GridPoint> calibration_grid(bool is_quick, unsigned processors);

}  // namespace scoville::cli
