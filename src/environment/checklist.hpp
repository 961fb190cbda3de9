#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "event/fingerprint.hpp"

namespace scoville::environment {

/// The six things that must stand still before two measurements may be compared.
enum class Row { driver, runtime, framework, engine, model, topology };
enum class RowState { fixed, unknown, changed };

struct ChecklistRow {
  Row row = Row::driver;
  RowState state = RowState::unknown;
  std::string detail;                ///< what is fixed, or why it is unknown; one line, in the language spoken
  std::vector<std::string> changed;  ///< keys whose value differs from the base's
};

/// All six, in their order. A row is fixed if one of its fields is known, and changed if any of them differs from
/// `base` (null: nothing to compare with). The fields engine.* and model.* come from who knows them, by
/// Fingerprint::merge.
std::vector<ChecklistRow> checklist(const event::Fingerprint& print, const event::Fingerprint* base);

/// Comparable keys that are known on both sides and different, or on one side and not there on the other. What could
/// not be learnt on one side (error, denied, the fields of a tool that did not answer) is in doubt, and no change.
std::vector<std::string> changed_keys(const event::Fingerprint& print, const event::Fingerprint& base);

/// As in JSON: "driver", "fixed".
std::string_view name_of(Row row);
std::string_view name_of(RowState state);

}  // namespace scoville::environment
