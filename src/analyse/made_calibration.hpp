#pragma once

#include "analyse/calibration.hpp"

namespace scoville::analyse {

/// For tests: a point with enough events, whose largest error is five times its P99.
inline CalibrationPoint calibrated(const CalibrationSetting& setting, double rate, Nanos p99) {
  CalibrationPoint point;
  point.setting = setting;
  point.asked_per_s = point.achieved_per_s = rate;
  point.n = 10000;
  point.p50 = p99 / 2;
  point.p99 = p99;
  point.largest = 5 * p99;
  return point;
}

}  // namespace scoville::analyse
