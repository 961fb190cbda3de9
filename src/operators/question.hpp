#pragma once

#include <string>
#include <vector>

#include "base/json.hpp"
#include "operators/table.hpp"

namespace scoville::operators {

/// One combination that an operator is asked about.
struct Case {
  std::size_t number = 0;
  std::string dtype, shape, direction;  ///< "bf16", "transposed", "backward"
  friend bool operator==(const Case&, const Case&) = default;
  /// "bf16 transposed backward".
  std::string name() const { return dtype + " " + shape + " " + direction; }
};

/// Which cases are wanted; empty: all that the operator has.
struct Wanted {
  std::vector<std::string> dtypes;
};

/// dtypes × shape classes × directions, those of one dtype together.
std::vector<Case> cases_of(const Operator& op, const Wanted& wanted = {});

/// The parameters of the question `operator` about these cases (docs/formats/probe.md): names of sizes have become
/// numbers.
json::object question_about(const Table& table, const Operator& op, const std::vector<Case>& cases, std::uint64_t seed);

}  // namespace scoville::operators
