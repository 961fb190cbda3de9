#pragma once

#include <string>

#include "base/json.hpp"
#include "correctness/check.hpp"

namespace scoville::report {

/// The check as one object: docs/formats/correctness.md.
json::object correctness_json(const correctness::Check& check);

/// The same for a terminal, no wider than 80 columns, ending with the gate.
std::string correctness_table(const correctness::Check& check);

}  // namespace scoville::report
