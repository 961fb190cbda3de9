#pragma once

#include "base/json.hpp"
#include "run/runner.hpp"

namespace scoville::run {

/// What a run observed of itself, beside its records, as it is stored (docs/formats/store.md).
json::object outcome_json(const RunResult& result);

/// Puts it back into a result whose records come from elsewhere. Null, as of a run that was cut off, leaves the
/// client's own account empty and says that the run was interrupted. The error names the member at fault.
Status take_outcome(const json::value& outcome, RunResult& result);

}  // namespace scoville::run
