#pragma once

#include <string>

#include "trace/engine_log.hpp"
#include "trace/rules.hpp"
#include "trace/table.hpp"

namespace scoville::trace {

/// The operator table of any file that this module reads; which kind it is its content says: JSON is a profiler trace,
/// a head with the columns of Ascend's lists is one of those, all text else is the log of an engine. An empty file and
/// a binary one are errors; a log that holds nothing of what is looked for is a table without rows.
Result<OperatorTable> read_operators(const std::string& path, const Rules& rules = Rules::built_in());

}  // namespace scoville::trace
