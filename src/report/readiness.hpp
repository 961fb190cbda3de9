#pragma once

#include <string>

#include "base/json.hpp"
#include "readiness/check.hpp"

namespace scoville::report {

/// docs/formats/readiness.md
json::object readiness_json(const readiness::Finding& finding, const std::string& device, const std::string& probe);

/// The same for a terminal.
std::string readiness_table(const readiness::Finding& finding, const std::string& device, const std::string& probe);

}  // namespace scoville::report
