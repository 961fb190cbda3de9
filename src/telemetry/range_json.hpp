#pragma once

#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "telemetry/increase.hpp"

namespace scoville::telemetry {

/// What Prometheus' HTTP API answers to `query_range` (a matrix: prometheus.io/docs/prometheus/latest/querying/api), as
/// one scrape for each instant, oldest first. The error says what was expected of which part.
Result<std::vector<Scrape>> read_range(std::string_view json);

}  // namespace scoville::telemetry
