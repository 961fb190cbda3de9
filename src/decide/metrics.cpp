#include "decide/metrics.hpp"

#include <algorithm>
#include <array>

namespace scoville::decide {
namespace {

using analyse::Latency;
using analyse::LatencyFigures;
using analyse::RunFigure;
using analyse::RunStatistics;

template <Latency which, RunFigure LatencyFigures::*quantile>
RunFigure latency(const RunStatistics& run) {
  return run.latency(which).*quantile;
}

template <std::optional<double> RunStatistics::*figure>
RunFigure whole(const RunStatistics& run) {
  return {run.*figure, true};
}

template <Latency which, RunFigure LatencyFigures::*quantile>
constexpr Metric of_latency(std::string_view key) {
  return {key, "ns", stats::Better::lower, false, &latency<which, quantile>};
}

template <std::optional<double> RunStatistics::*figure>
constexpr Metric of_rate(std::string_view key) {
  return {key, "1/s", stats::Better::higher, true, &whole<figure>};
}

using F = LatencyFigures;
constexpr std::array<Metric, 20> kMetrics{
    of_latency<Latency::ttft, &F::p50>("ttft"),
    of_latency<Latency::ttft, &F::p95>("ttft_p95"),
    of_latency<Latency::ttft, &F::p99>("ttft_p99"),
    of_latency<Latency::ttfa, &F::p50>("ttfa"),
    of_latency<Latency::ttfa, &F::p95>("ttfa_p95"),
    of_latency<Latency::tpot, &F::p50>("tpot"),
    of_latency<Latency::tpot, &F::p95>("tpot_p95"),
    of_latency<Latency::tpot, &F::p99>("tpot_p99"),
    of_latency<Latency::ntpot, &F::p50>("ntpot"),
    of_latency<Latency::ntpot, &F::p95>("ntpot_p95"),
    of_latency<Latency::icl, &F::p50>("icl"),
    of_latency<Latency::icl, &F::p95>("icl_p95"),
    of_latency<Latency::e2e, &F::p50>("e2e"),
    of_latency<Latency::e2e, &F::p95>("e2e_p95"),
    of_latency<Latency::e2e, &F::p99>("e2e_p99"),
    of_rate<&RunStatistics::output_tokens_per_s>("output_tokens_per_s"),
    of_rate<&RunStatistics::total_tokens_per_s>("total_tokens_per_s"),
    of_rate<&RunStatistics::requests_per_s>("requests_per_s"),
    of_rate<&RunStatistics::goodput_per_s>("goodput_per_s"),
    Metric{"attainment", "1", stats::Better::higher, false, &whole<&RunStatistics::attainment>},
};

}  // namespace

std::span<const Metric> metrics() { return kMetrics; }

const Metric* find_metric(std::string_view key) {
  const auto found =
      std::find_if(kMetrics.begin(), kMetrics.end(), [&](const Metric& each) { return each.key == key; });
  return found == kMetrics.end() ? nullptr : &*found;
}

}  // namespace scoville::decide
