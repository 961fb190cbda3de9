#pragma once

#include "cost/outcome.hpp"
#include "evaluate/record.hpp"
#include "store/run_store.hpp"

namespace scoville::cli {

/// What the plan's cost study says once the measured throughput is in it: an option that bears the name of a system,
/// and states no throughput of its own, gets that of the system's runs under the plan's cost workload. What cannot be
/// worked out says why; it is never guessed.
evaluate::CostPart price_evaluation(store::RunStore& store, const evaluate::Plan& plan, const evaluate::Agenda& agenda,
                                    cost::Study study);

}  // namespace scoville::cli
