#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "analyse/analysis.hpp"

namespace scoville::analyse {

/// Why a figure over runs is missing, or has no interval. The names are codes in the JSON.
enum class NoFigure {
  none,
  missing,  ///< some runs have no value
  too_few,  ///< of one run there is no spread
};
std::string_view name_of(NoFigure reason);

/// One number of each run, and what they say together: docs/method.md, "Repeats". One run is one value, however many
/// requests it had: requests of one run share its luck, runs do not.
struct SetFigure {
  std::vector<std::optional<double>> values;  ///< in the order of the runs
  std::size_t n = 0;                          ///< runs that have one
  std::optional<double> median;               ///< over runs; of an even number the mean of the middle two
  std::optional<double> smallest, largest;
  std::optional<double> cv;         ///< sd (n − 1) ÷ mean; empty for a mean of 0
  std::optional<double> low, high;  ///< of the median that more runs would tend to
  std::optional<double> level;      ///< coverage that [low, high] really has
  bool is_supported = true;         ///< every run has the samples for a verdict on its own value
  NoFigure reason = NoFigure::none;
};

/// A run without a value leaves all of the figure but `values` and `n` empty: the others alone would flatter.
SetFigure over_runs(std::vector<std::optional<double>> values);

/// The coverage of the interval that over_runs() gives: 1 − 2·½ⁿ up to five runs (smallest to largest), at least
/// 0.95 from six on. Empty below two.
std::optional<double> level_of(std::size_t runs);

/// In ns.
struct LatencyOverRuns {
  SetFigure p50, p95;
};

struct RateOverRuns {
  SetFigure full, steady;
};

/// A figure that rises or falls from run to run (Mann-Kendall, two-sided p < 0.05): the runs are not repeats of one
/// state.
struct Drift {
  enum class Series { ttft, tpot, output_tokens_per_s };
  Series series = Series::ttft;
  bool rises = false;
  double p = 1;
};

struct SetFigures {
  std::size_t runs = 0;
  std::array<LatencyOverRuns, kLatencyCount> latencies;
  RateOverRuns requests_per_s, output_tokens_per_s, total_tokens_per_s;
  std::optional<SetFigure> attainment;  ///< where the runs had limits
  std::size_t bottlenecks = 0;          ///< runs whose client was one
  std::size_t without_success = 0;
  std::size_t steady = 0, drifting = 0;  ///< within themselves; of the others that cannot be told
  std::vector<Drift> drifts;

  const LatencyOverRuns& latency(Latency which) const { return latencies[static_cast<std::size_t>(which)]; }
};

/// Runs of one plan, in the order in which they were made.
SetFigures summarise_set(std::span<const Analysis* const> runs);

}  // namespace scoville::analyse
