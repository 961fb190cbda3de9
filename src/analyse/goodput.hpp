#pragma once

#include <optional>

#include "analyse/latencies.hpp"
#include "plan/bench_plan.hpp"
#include "stats/goodput.hpp"
#include "stats/interval.hpp"

namespace scoville::analyse {

/// Share of attempted requests that met every limit, with its exact interval, and good requests per second.
struct GoodputFigure {
  plan::Limits limits;
  stats::Goodput counts;
  std::optional<stats::Interval> interval;  ///< 95 %, Clopper-Pearson
  std::optional<double> at_least;           ///< one-sided 95 % lower bound
};

/// A request without TPOT because its answer had one token meets a TPOT limit: there was nothing to be slow. One whose
/// stream was collected on its way does not: its TPOT of 0 says nothing (latencies.hpp, is_streamed). `issuing` is how
/// long requests were issued for.
std::optional<GoodputFigure> goodput(const Records& records, const plan::Limits& limits, Nanos issuing);

}  // namespace scoville::analyse
