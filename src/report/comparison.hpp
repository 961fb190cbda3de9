#pragma once

#include <string>
#include <vector>

#include "base/json.hpp"
#include "dataset/warning.hpp"
#include "decide/comparison.hpp"
#include "decide/noise.hpp"
#include "decide/ranking.hpp"

namespace scoville::report {

/// All that `compare` or `duel` has to say: one comparison for each candidate, against the same base.
struct CompareView {
  std::vector<decide::Arm> arms;  ///< the base, then the candidates
  std::vector<decide::Comparison> comparisons;
  std::vector<std::string> primary;
  std::size_t family = 1;
  double alpha = 0.05;
  bool has_margin = false;                 ///< the user said it
  std::optional<decide::Ranking> ranking;  ///< where there are several candidates, and none was refused
  std::vector<dataset::Warning> warnings;
};

/// docs/formats/comparison.md. With one candidate its keys stand at the top.
json::object comparison_json(const CompareView& view);

/// One metric of a comparison, and one number a run over an arm, as they stand in there.
json::object metric_comparison_json(const decide::MetricComparison& metric);
json::object arm_figure_json(const analyse::SetFigure& figure);

/// The same for a terminal: the gate, the metrics, what it would take to tell, one closing sentence an arm.
std::string comparison_table(const CompareView& view);

/// Above this a noise floor comes from disturbed runs.
constexpr double kLargeFloor = 0.10;

/// A noise floor: what was found, metric by metric, and what it means.
json::object noise_json(const decide::NoiseFloor& floor, const decide::HarnessHealth& health);
std::string noise_table(const std::string& name, const decide::NoiseFloor& floor, const decide::HarnessHealth& health);

}  // namespace scoville::report
