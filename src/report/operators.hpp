#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "operators/support.hpp"

namespace scoville::report {

/// All that `probe operators` has to say.
struct OperatorsView {
  operators::Support support;
  Nanos took{};
  std::string model;  ///< empty: the whole table
  bool is_family_known = true;
  std::string against;  ///< the file; empty: none
  operators::Support before;
  std::vector<operators::Change> changes;
  std::string trace;                     ///< whose shares these are; empty: none
  std::map<std::string, double> shares;  ///< of the time, by name of the dispatcher, without overload
};

/// Why an operator has its verdict, one sentence a reason; none where it is supported. In the current language.
std::vector<std::string> operator_evidence(const operators::Finding& finding);

/// In the current language.
std::string verdict_word(operators::Verdict verdict);

/// docs/formats/operators.md: what --json prints and --save writes. English.
json::object operators_json(const OperatorsView& view);

/// For a terminal, 100 columns: how many are supported, each other one with its reasons, what has changed.
std::string operators_table(const OperatorsView& view);

}  // namespace scoville::report
