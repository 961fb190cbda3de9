#pragma once

#include <string>
#include <vector>

#include "base/json.hpp"
#include "matrix/ranking.hpp"
#include "matrix/read.hpp"
#include "matrix/scenario.hpp"

namespace scoville::report {

/// docs/formats/scenario.md.
json::object scenario_json(const matrix::Scenario& scenario);
std::string scenario_table(const matrix::Scenario& scenario);
std::string scenario_list(const std::vector<matrix::Scenario>& scenarios);

/// An order of candidates by a scenario's criteria; docs/formats/matrix.md.
struct RankingView {
  matrix::Ranking ranking;
  matrix::Scenario scenario;
  std::optional<matrix::AhpWeights> ahp;
};
json::object ranking_json(const RankingView& view);
/// The order, and in one sentence whether it holds; `detail` adds TOPSIS, win share and every flip.
std::string ranking_table(const RankingView& view, bool detail);

/// At which mix of workloads the better candidate changes: a line a workload whose share is varied.
json::object mix_json(const matrix::Mix& mix);
std::string mix_lines(const matrix::Mix& mix);

}  // namespace scoville::report
