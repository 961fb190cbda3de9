#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scoville::decide {

/// Names with one value each, as they were given: {"tp", "2"}, {"concurrency", "16"}.
using Choices = std::vector<std::pair<std::string, std::string>>;

/// What a sweep takes of one run. Rates per second of the whole system, times in seconds.
struct SweepRun {
  std::string id;
  std::optional<double> output_per_s, requests_per_s, good_per_s;
  std::optional<double> tpot_s, ttft_p50_s, ttft_p95_s, e2e_p50_s, e2e_p95_s;
  std::size_t attempted = 0, failed = 0;
  std::string instrument, steady;  ///< verdicts: analyse::name_of
  bool is_client_limited = false, drifts = false;
  bool queue_grows = false;  ///< of a load with a schedule: latency rises as long as it is kept up
};

enum class PointState { pending, measured, not_started, engine_ended };
std::string_view name_of(PointState state);

/// One load at one combination of engine settings.
struct SweepPoint {
  std::size_t settings = 0;  ///< place of the combination
  Choices load;
  PointState state = PointState::pending;
  std::string why;  ///< of not_started and engine_ended, in the engine's words
  std::vector<SweepRun> runs;
};

/// Why a point may not stand on a frontier. In this order: the first that holds.
enum class OutOfFrontier { none, not_measured, client_limited, failures, queue_grows, drifts, unknown };
std::string_view name_of(OutOfFrontier reason);
/// By any of its runs.
OutOfFrontier out_of_frontier(const SweepPoint& point);

/// Medians over the runs of a point; empty where a run lacks the figure.
struct PointFigures {
  std::optional<double> output_per_s, requests_per_s, good_per_s;
  std::optional<double> user_rate;  ///< 1 / TPOT at P50: tokens/s that a user sees
  std::optional<double> ttft_p50_s, ttft_p95_s, e2e_p50_s, e2e_p95_s;
  std::size_t attempted = 0, failed = 0;  ///< of all runs together
};
PointFigures figures_of(const SweepPoint& point);

/// How two combinations of settings stand to each other.
enum class Standing {
  together,
  gate_passed,  ///< differ in precision; a check of their answers passed
  no_gate,      ///< differ in precision, and nothing was checked: not ranked
  gate_failed,
  other_model,
};
std::string_view name_of(Standing standing);
bool ranks_together(Standing standing);

struct SettingsPair {
  std::size_t a = 0, b = 0;
  Standing standing = Standing::together;
  std::string check;  ///< id of the check of correctness; empty: none
};

/// What one combination gives a user who is to see so many tokens/s.
struct SettingsAt {
  std::size_t settings = 0;
  std::optional<std::size_t> point;  ///< empty: no measured point reaches it
  std::optional<double> ratio;       ///< to the first combination of the frontier
};

/// The frontier read at one x: a step, nothing between measured points and nothing beyond them.
struct ReadOut {
  double at = 0;
  std::optional<std::size_t> best;
  std::vector<SettingsAt> each;
};

/// Points that may be ranked with each other: same lengths, comparable settings.
struct SweepFrontier {
  Choices lengths;                    ///< the varied ones; empty: they were not varied
  std::vector<std::size_t> settings;  ///< combinations that have their points here
  std::vector<std::size_t> on;        ///< places of the points on it, by ascending tokens/s per user
  std::optional<double> area;         ///< hypervolume from (0, 0)
  std::vector<ReadOut> read;
};

struct SweepOutcome {
  bool is_per_device = false;  ///< devices are known for every combination that has points
  std::vector<SweepFrontier> frontiers;
};

/// `devices`: of each combination of settings; empty: not known. `pairs`: those that are not simply together.
/// `at`: tokens/s of a user, ascending.
SweepOutcome judge_sweep(std::span<const SweepPoint> points, std::span<const std::optional<int>> devices,
                         std::span<const SettingsPair> pairs, std::span<const double> at);

/// Throughput of a point as the frontier takes it.
std::optional<double> throughput_of(const SweepPoint& point, std::span<const std::optional<int>> devices,
                                    bool is_per_device);

}  // namespace scoville::decide
