#pragma once

#include "evaluate/findings.hpp"
#include "evaluate/steps.hpp"
#include "store/run_store.hpp"

namespace scoville::cli {

/// What the steps of an evaluation left in the store, and what its plan names of runs made before (a tag, a set, a
/// bundle), each candidate compared with the baseline behind the gate. What is not there has a reason; an error means
/// that the store cannot be read.
Result<evaluate::Findings> gather_findings(store::RunStore& store, const evaluate::Plan& plan,
                                           const evaluate::Agenda& agenda);

}  // namespace scoville::cli
