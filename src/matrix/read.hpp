#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "config/node.hpp"
#include "matrix/ahp.hpp"
#include "matrix/matrix.hpp"
#include "matrix/mix.hpp"
#include "matrix/scenario.hpp"

namespace scoville::matrix {

/// Parts of a plan that say what a decision rests on. All of them note their faults at the node, and none calls
/// finish(): an evaluation's plan embeds them. docs/formats/matrix.md has the keys.

/// `targets:`. A bare number is `least` or `most`, by the measure; `none` drops a default.
std::map<std::string, Target> read_targets(const config::Node& map, const Template& form);
/// `required:`, ids of rows.
std::vector<std::string> read_required(const config::Node& parent, const Template& form);
std::vector<Pilot> read_pilots(const config::Node& parent);
/// What a scenario asks for as targets, by the SLO variant; measures that the template lacks are left out.
std::map<std::string, Target> targets_of(const SloDefault& slo, const Template& form);
/// Those of the scenario that `known` lacks, untested.
void add_knock_outs_of(const Scenario& scenario, std::vector<KnockOut>& known);

/// Candidates' values under several workloads, and how much of the whole each workload is.
struct Mix {
  std::string unit;
  bool is_lower_better = true;
  std::vector<std::string> workloads;
  std::vector<double> shares;
  std::vector<MixArm> arms;
};

/// A matrix filled in by hand, with what else a decision needs.
struct Study {
  Inputs inputs;
  std::optional<Scenario> scenario;
  std::string slo;                             ///< variant of the scenario; empty: none named
  std::vector<ArmValues> arms;                 ///< to be ranked; empty: none
  std::optional<std::vector<double>> weights;  ///< in place of the scenario's
  std::optional<AhpWeights> ahp;               ///< where they come from pairwise judgements
  std::optional<Mix> mix;
};

/// The whole file. `folder`: where relative names of templates and scenarios begin.
Result<Study> read_study(const config::Node& root, const std::string& folder);

}  // namespace scoville::matrix
