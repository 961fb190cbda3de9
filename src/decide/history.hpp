#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "decide/comparison.hpp"

namespace scoville::decide {

/// A field of the gate that differs between two points.
struct Change {
  std::string key, before, after;
};

/// What was measured at one time: the runs of a set, or a run alone.
struct HistoryPoint {
  Arm arm;                    ///< named by its set, or by its run
  analyse::SetFigure figure;  ///< of the metric followed
  analyse::SetFigure output_tokens_per_s, ttft;
  std::vector<Change> changes;  ///< since the point before it, in fields of the systems and the load
  std::vector<Change> refused;  ///< what forbids to compare it with the newest; empty: it is used
  bool is_used() const { return refused.empty(); }
};

/// The level changes between two points.
struct Step {
  std::size_t before = 0, after = 0;  ///< points, neighbours among those used
  double p = 1;                       ///< Pettitt, over the values of the runs
  double change = 0;                  ///< mean after ÷ mean before − 1
  bool is_worse = false;
};

/// What the newest point says of the level before it.
enum class Outcome {
  alone,    ///< no earlier point may be compared with it
  refused,  ///< its own runs are fit for no comparison
  unknown,  ///< too few runs, or the interval is too wide
  holds,    ///< not slower by more than the margin
  slower,   ///< by more than the margin
};
std::string_view name_of(Outcome outcome);

struct History {
  const Metric* metric = nullptr;
  double margin = stats::kLeastMargin;  ///< of steps
  std::vector<HistoryPoint> points;     ///< oldest first
  std::vector<Step> steps;              ///< oldest first
  std::size_t used_runs = 0;
  std::vector<std::size_t> plateau;  ///< points since the last step before the newest, the newest left out
  std::optional<Comparison> newest;  ///< the plateau against the newest; empty where there is none
  Outcome outcome = Outcome::alone;

  const MetricComparison* compared() const { return newest ? newest->find(metric->key) : nullptr; }
};

struct HistoryOptions {
  std::string metric{kDefaultPrimary};
  std::vector<std::string> allow;        ///< fields that may differ
  std::optional<double> margin;          ///< said by the user
  std::map<std::string, double> floors;  ///< A/A noise floor by metric
};

/// Follows one metric through points, oldest first, at least one: docs/method.md, "History". A metric that is none of
/// metrics() is our own bug.
History follow(std::vector<Arm> points, const HistoryOptions& options = {});

}  // namespace scoville::decide
