#pragma once

#include "run/runner.hpp"

namespace scoville::run {

/// run_load() with every record kept whole in memory, token events to the nanosecond: for a few requests.
Result<RunResult> run_in_memory(const RunInputs& inputs, const std::atomic<bool>& stop);

}  // namespace scoville::run
