#pragma once

#include <string>

#include "base/json.hpp"
#include "trace/table.hpp"

namespace scoville::report {

/// docs/formats/trace.md: one table.
json::object trace_json(const trace::OperatorTable& table);

/// For a terminal, within 100 columns: where the step's time went, the operators by their share of it, what fell back
/// and why, and what else a log says.
std::string trace_table(const trace::OperatorTable& table);

}  // namespace scoville::report
