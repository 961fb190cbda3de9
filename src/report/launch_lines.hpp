#pragma once

#include <string>
#include <vector>

#include "report/bench_report.hpp"
#include "report/run_set.hpp"

namespace scoville::report {

/// How the engine was started, one line; empty where we did not start it.
std::string launch_line(const BenchSubject& subject);

/// Of a set whose engine was started anew for each run: how long that took, one line; else empty.
std::string launch_range(const RunSet& set);

/// The last lines of the log of an engine that ended by itself while the load was on; else empty.
std::string launch_tail(const BenchSubject& subject);

/// Whether the engine ended by itself while the load was on.
bool crashed_in_run(const BenchSubject& subject);

/// engine_crashed, engine_killed, engine_left_processes.
std::vector<dataset::Warning> launch_warnings(const BenchSubject& subject);

}  // namespace scoville::report
