#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/store_options.hpp"
#include "report/cells.hpp"

namespace scoville::cli {

// What the commands `scoville runs …` share.

/// For changing: a store that is not there is an error, and is not made.
Result<store::RunStore> open_existing(const StoreOptions& options);

/// A tag may name several sets, as of a baseline made anew each week: the newest is kept, and the command says so. Runs
/// without a set are taken together; a set's own name takes all of it.
void keep_newest_set(std::vector<store::RunInfo>& runs, const std::string& name);

/// A word of the command line taken as it stands, the empty one too.
Positional plain_positional(std::string name, text::Msg help, std::string& target);

/// NAME…: one or more of them.
Positional names_positional(std::vector<std::string>& target);

/// The ids, as a JSON array, of runs or of evidence.
template <class Named>
json::array ids_of(const std::vector<Named>& all) {
  json::array out;
  for (const Named& each : all) out.push_back(json::string(each.id));
  return out;
}

using report::utc;

/// As `status_text` of a list: in the language spoken.
std::string status_text(store::RunStatus status);
json::value text_or_null(const std::string& text);

}  // namespace scoville::cli
