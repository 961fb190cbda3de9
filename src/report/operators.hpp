#pragma once

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
};

/// Why an operator has its verdict, one sentence a reason; none where it is supported. In the current language.
std::vector<std::string> operator_evidence(const operators::Finding& finding);

/// docs/formats/operators.md: what --json prints and --save writes. English.
json::object operators_json(const OperatorsView& view);

/// For a terminal, 100 columns: how many are supported, each other one with its reasons, what has changed.
std::string operators_table(const OperatorsView& view);

}  // namespace scoville::report
