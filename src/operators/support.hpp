#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "operators/verdict.hpp"

namespace scoville::operators {

/// What one device with one stack of software supports.
struct Support {
  std::string device, device_name, probe;
  json::object stack;  ///< everything whose version can move a verdict, as the probe described it
  std::vector<Finding> findings;
};

/// The file that --save writes and --against reads: docs/formats/operators.md. Pure data: no sentences.
json::object support_json(const Support& support);
/// `where` stands in errors. What no verdict rests on is not read back.
Result<Support> support_from(const std::string& text, const std::string& where);

/// What became of an operator between two tables.
enum class Turn {
  fixed,     ///< a better verdict, or more cases and none lost
  broken,    ///< a worse verdict, or fewer cases and none gained
  changed,   ///< some gained, some lost; or other shortfalls
  appeared,  ///< was not in the table, or not in the framework
  gone,      ///< the other way round
};
std::string_view name_of(Turn turn);

struct Change {
  std::string name;
  Turn turn;
  Verdict before = Verdict::absent, after = Verdict::absent;
  std::vector<Case> gained, lost;  ///< cases that are good now and were not, and the reverse
};

/// In the order of `after`, then what is gone. Operators that did not change are not there; nor are cases that one of
/// the tables was not asked about.
std::vector<Change> compare(const Support& before, const Support& after);

/// One line of what is to be done before a model runs well: the worst time share first.
struct Step {
  const Finding* finding;
  std::optional<double> time_share;  ///< of the step, from a trace; nullopt: not in it
};

/// Operators that are not supported, by the share of time that they take; those in no trace come last, worse verdicts
/// first. `shares`: by name of the dispatcher, without overload.
std::vector<Step> migration_order(const std::vector<Finding>& findings, const std::map<std::string, double>& shares);

}  // namespace scoville::operators
