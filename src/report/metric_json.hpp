#pragma once

#include <string>

#include "analyse/quantiles.hpp"
#include "base/json.hpp"

namespace scoville::report {

/// 0.5 → "50", 0.999 → "99.9".
std::string percent_key(double p);

/// A latency over all requests that have it, in ns.
json::object metric_json(const analyse::Metric& metric);

}  // namespace scoville::report
