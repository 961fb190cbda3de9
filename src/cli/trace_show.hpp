#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"
#include "trace/rules.hpp"

namespace scoville::cli {

/// Reads profiler traces, lists of kernels and engine logs, and prints what they say of the operators: with `as_json`
/// one object {"tables": […]}, else a table each. Fine whatever the verdicts are; failed, with one line, at the first
/// file that cannot be read as any of them.
Exit show_trace(const std::vector<std::string>& files, bool as_json,
                const trace::Rules& rules = trace::Rules::built_in());

}  // namespace scoville::cli
