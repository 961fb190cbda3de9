#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyse/analysis.hpp"
#include "base/json.hpp"

namespace scoville::analyse {

/// One number of one run, and whether the run has the samples for a verdict on it.
struct RunFigure {
  std::optional<double> value;
  bool is_supported = true;
};

/// Quantiles of one latency within a run, ns. Empty where a request that was given up decides, or nothing was measured.
struct LatencyFigures {
  RunFigure p50, p95, p99;
};

/// What the server counted for one request: the same prompt has the same index in every run of a data set and seed.
struct Usage {
  std::uint64_t index = 0;
  std::int64_t prompt_tokens = 0;
  std::int64_t output_tokens = 0;
};
inline constexpr std::size_t kMostUsages = 64;

/// A run as comparisons take it: one number per metric, what is needed to know whether the run may be compared, and
/// nothing that grows with its requests. Kept beside the run, so that a comparison does not read its records again.
struct RunStatistics {
  int method_version = 0;  ///< kMethodVersion of the program that computed it
  std::size_t attempted = 0, succeeded = 0, timeouts = 0, short_outputs = 0, empty_outputs = 0;
  Nanos length{};  ///< of the window the figures are about
  Verdict instrument = Verdict::ok;
  std::optional<bool> schedule_met;  ///< empty where there is no schedule
  bool reached_concurrency = true;
  bool was_interrupted = false;
  bool is_drifting = false;  ///< the warm-up that the run was asked to find did not end in a level
  stats::SteadyVerdict steady_verdict = stats::SteadyVerdict::not_found;  ///< of every run; not_found: cannot be told

  std::array<LatencyFigures, kLatencyCount> latencies;
  std::optional<double> output_tokens_per_s, total_tokens_per_s, requests_per_s;  ///< over the whole run
  std::optional<double> attainment, goodput_per_s;                                ///< where limits were set

  std::optional<double> mean_prompt_tokens, mean_output_tokens;
  std::optional<double> cached_share;  ///< of prompt tokens; empty where the server does not tell
  std::vector<Usage> usage;            ///< of the first successful requests by index, kMostUsages at most

  const LatencyFigures& latency(Latency which) const { return latencies[static_cast<std::size_t>(which)]; }
};

/// `analysis` of `run`, with the default quantiles among its own.
RunStatistics statistics_of(const run::RunResult& run, const Analysis& analysis);

json::object to_json(const RunStatistics& statistics);
/// Empty where they are of another method than this program's, or not of its form: the run is then to be analysed anew.
std::optional<RunStatistics> statistics_from(const json::value& value);

}  // namespace scoville::analyse
