#pragma once

#include <string>

#include "analyse/analysis.hpp"
#include "base/json.hpp"
#include "fit/share.hpp"
#include "report/bench_report.hpp"

namespace scoville::report {

/// What a run took of its devices' published bandwidth and peak, as far as the model says: docs/formats/run.md.
fit::Share model_based_share(const analyse::Analysis& analysis, const BenchSubject& subject);

/// {"mbu", "mfu", "reason", "device", "devices"}: both null with a reason where something of it is not known.
json::object model_based_json(const fit::Share& share);

/// One line for a terminal; empty where there is no share to tell.
std::string model_based_line(const fit::Share& share);

}  // namespace scoville::report
