#pragma once

#include "cost/study.hpp"
#include "store/run_store.hpp"

namespace scoville::cli {

/// Fills in what stored runs say of each option that names some (`perf: {from_result: SET, point: SLO}`): output and
/// input tokens/s of one accelerator, the median over runs with its interval, the cached share where it is known, and
/// the share of requests that met the limits (good_frac, where it is not stated).
///
/// An error: runs that cannot be found, runs of unlike plans, a run whose instrument was the bottleneck, a run that
/// missed the limits. How many accelerators there were is left open where neither run nor option says it.
Status link_perf(store::RunStore& store, cost::Study& study);

}  // namespace scoville::cli
