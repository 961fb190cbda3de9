#pragma once

#include <string>

#include "run/runner.hpp"

namespace scoville::report {

/// One line for each request, each attempt on its own, below a line of names: docs/formats/exports.md.
///
/// RFC 4180: commas between, CR LF behind, a field with a comma, a quote or a line break in quotes. Unknown is empty.
/// Times are seconds since the schedule's start, latencies count from the due time where there is one.
Result<std::string> bench_csv(const run::RunResult& run);

}  // namespace scoville::report
