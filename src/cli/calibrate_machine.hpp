#pragma once

#include "analyse/calibration.hpp"
#include "store/run_store.hpp"

namespace scoville::cli {

/// Measures the whole grid (about a minute; quick: a fifth of that), with progress on standard error, and keeps what
/// was found in `store`. An error where a point could not be measured, or somebody wanted to stop.
Result<analyse::Calibration> calibrate_machine(store::RunStore& store, bool is_quick);

}  // namespace scoville::cli
