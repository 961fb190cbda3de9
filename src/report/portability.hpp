#pragma once

#include <optional>
#include <string>

#include "base/json.hpp"
#include "portability/difference.hpp"
#include "portability/summary.hpp"

namespace scoville::report {

/// What `scoville portability` found, ready to be shown.
struct PortabilityReport {
  const portability::RuleSet* rules = nullptr;
  const portability::Survey* survey = nullptr;
  portability::Summary summary;
  std::optional<portability::Difference> since;
  portability::Choice choice;
  bool shows_places = false;
};

/// Within 100 columns, but for the lines of code and paths. Paths are as they can be opened.
std::string portability_table(const PortabilityReport& report);

/// docs/formats/portability.md. Whole, whatever the table leaves out.
json::object portability_json(const PortabilityReport& report);

}  // namespace scoville::report
