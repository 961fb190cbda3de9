#pragma once

#include <string>
#include <vector>

#include "base/json.hpp"
#include "dataset/warning.hpp"
#include "decide/history.hpp"

namespace scoville::report {

/// All that `history` has to say.
struct HistoryView {
  std::string tag;
  decide::History history;
  std::vector<dataset::Warning> warnings;
};

/// docs/formats/history.md.
json::object history_json(const HistoryView& view);

/// The same for a terminal: a line a point, what changed when, the steps, one closing sentence.
std::string history_table(const HistoryView& view);

}  // namespace scoville::report
