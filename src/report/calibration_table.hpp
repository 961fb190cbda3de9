#pragma once

#include <string>

#include "analyse/error_bound.hpp"

namespace scoville::report {

/// A calibration for a terminal: one row a point, what it was good for in one sentence, and what the error contains.
std::string calibration_table(const analyse::Calibration& calibration);

/// "plain TCP, 1 thread".
std::string describe(const analyse::CalibrationSetting& setting);
/// "error bound at 2,000 events/s: TTFT 14.0 µs, ICL 25.0 µs", or why there is none.
std::string describe(const analyse::ErrorBound& bound);

/// A whole number with commas: "12,345".
std::string grouped(double number);

}  // namespace scoville::report
