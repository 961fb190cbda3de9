#pragma once

#include "base/json.hpp"
#include "report/bench_report.hpp"

namespace scoville::report {

/// What a report is about, as it is stored with its run, and back. The error names the member at fault.
json::object subject_json(const BenchSubject& subject);
Result<BenchSubject> subject_from(const json::value& value);

}  // namespace scoville::report
