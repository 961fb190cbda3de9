#pragma once

#include <optional>
#include <string>
#include <vector>

#include "evidence/external_result.hpp"

namespace scoville::report {

// Cells of the tables of external evidence.

/// "50.1 ms", "99.0 %", "1234": a value in the base unit of its metric.
std::string external_cell(std::optional<double> value, evidence::Unit unit);
/// "TTFT", "output tokens": our name in words; a dash where there is none.
std::string external_name(evidence::Metric metric);
/// "yes", "roughly", "no" in the language spoken.
std::string comparable_word(evidence::Comparable comparable);
/// "P99"; the metric's alone where there is no statistic.
std::string statistic_word(const std::string& statistic);

/// Numbers definitions in the order in which they are met: "[1]".
class Notes {
 public:
  std::string mark(evidence::Definition definition);
  const std::vector<evidence::Definition>& all() const { return met_; }

 private:
  std::vector<evidence::Definition> met_;
};

}  // namespace scoville::report
