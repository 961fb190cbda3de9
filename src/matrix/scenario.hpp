#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "config/node.hpp"
#include "matrix/estimate.hpp"
#include "matrix/ranking.hpp"
#include "text/catalogue.hpp"

namespace scoville::matrix {

/// A limit that the scenario's users would set, for one kind of model.
struct SloDefault {
  std::string name;                      ///< "conversational-8b"
  std::map<std::string, double> limits;  ///< measure → most, in the measure's unit: {"ttft_p99": 2000}
  std::map<std::string, double> least;   ///< measure → least
  std::string source, date;
};

/// One thing that counts, and how much of it is how good: `zero` at the limit of what is bearable, `one` where more
/// would not matter. Fixed in the profile, never taken from the candidates: otherwise a rank would depend on who else
/// is listed. `zero` > `one` where less is better.
struct Criterion {
  std::string id;  ///< "throughput"
  text::Phrase title;
  double weight = 0;
  std::string measure, unit;  ///< what its value is: "goodput_ratio"
  double zero = 0, one = 1;
  std::string basis;  ///< why these ends

  /// From 0 to 1.
  double utility(double value) const;
};

struct ScenarioKnockOut {
  std::string id;
  text::Phrase requirement;
};

/// A use that hardware is chosen for: docs/formats/scenario.md.
struct Scenario {
  std::string name;
  std::size_t version = 0;
  text::Phrase title, bottleneck;
  std::vector<ScenarioKnockOut> knock_outs;
  std::vector<SloDefault> slos;
  std::vector<Criterion> criteria;

  const SloDefault* find_slo(std::string_view variant) const;
  const Criterion* find_criterion(std::string_view id) const;
  std::vector<double> weights() const;
};

/// Notes its faults at `node`; whoever loaded the file calls finish().
Scenario read_scenario(const config::Node& node);

/// Those that this program was built with (data/scenarios/*.yaml), by name.
const std::vector<Scenario>& built_in_scenarios();
/// A built-in one by its name, or a file (a name that ends with .yaml or .yml).
Result<Scenario> find_scenario(const std::string& name, const std::string& folder = "");

/// A candidate's values by criterion, and the arm of a ranking that they make.
struct ArmValues {
  std::string name;
  std::map<std::string, Estimate> values;   ///< by criterion
  std::map<std::string, double> utilities;  ///< by criterion, where stated instead of measured
  std::string knocked_out;
};
/// Criteria of weight above 0 that have neither are named; then there is no arm.
struct MadeArm {
  std::optional<Arm> arm;
  std::vector<std::string> missing;
};
MadeArm make_arm(const Scenario& scenario, const ArmValues& values);

}  // namespace scoville::matrix
