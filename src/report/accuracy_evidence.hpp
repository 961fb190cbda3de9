#pragma once

#include <string>

#include "base/json.hpp"
#include "evidence/accuracy_evidence.hpp"

namespace scoville::report {

/// What other tools found about correctness: docs/formats/baseline.md, "Evidence of other tools".
json::object accuracy_evidence_json(const evidence::AccuracyEvidence& evidence);
/// For a terminal, no wider than 100 columns: tensors that are over and those around them, and every score.
std::string accuracy_evidence_table(const evidence::AccuracyEvidence& evidence);

}  // namespace scoville::report
