#pragma once

#include <string>
#include <vector>

#include "base/json.hpp"
#include "numerics/judge.hpp"

namespace scoville::report {

/// A device against a baseline: docs/formats/baseline.md, "What is printed".
json::object numerics_json(const numerics::Judgement& judgement);
/// The same for a terminal, no wider than 100 columns, ending with the verdict.
std::string numerics_table(const numerics::Judgement& judgement);

/// A run kept as a baseline, by itself.
json::object saved_json(const numerics::Side& saved, const std::string& folder);
std::string saved_table(const numerics::Side& saved, const std::string& folder);

}  // namespace scoville::report
