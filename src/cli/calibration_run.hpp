#pragma once

#include "cli/built_in_endpoint.hpp"
#include "cli/calibration_grid.hpp"

namespace scoville::cli {

/// A closed loop of the real loader against the scripted endpoint in a process of its own.
Result<analyse::CalibrationPoint> measure_point(const GridPoint& point, const TemporaryFolder& folder);

}  // namespace scoville::cli
