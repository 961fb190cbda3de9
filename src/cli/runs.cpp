#include "cli/runs.hpp"

#include <set>

namespace scoville::cli {

using text::Msg;
using text::say;

Result<store::RunStore> open_existing(const StoreOptions& options) {
  const Result<store::RunStore> present = options.open_for_reading();
  if (!present && present.error().code == ErrorCode::not_found) return present.error();
  return options.open();
}

void keep_newest_set(std::vector<store::RunInfo>& runs, const std::string& name) {
  std::set<std::string> sets;
  for (const store::RunInfo& each : runs) sets.insert(each.set);
  const std::string newest = runs.back().set;
  if (sets.size() < 2 || newest == name) return;
  std::erase_if(runs, [&](const store::RunInfo& each) { return each.set != newest; });
  complain(say(Msg::runs_newest_of_tag, name, sets.size(), newest.empty() ? runs.back().id : newest));
}

Positional plain_positional(std::string name, text::Msg help, std::string& target) {
  return {std::move(name), help, [&target](std::string_view given) -> Status {
            target = given;
            return Done{};
          }};
}

Positional names_positional(std::vector<std::string>& target) {
  Positional names{"NAME", Msg::word_run_names, [&target](std::string_view given) -> Status {
                     target.emplace_back(given);
                     return Done{};
                   }};
  names.takes_many = true;
  return names;
}

std::string status_text(store::RunStatus status) {
  switch (status) {
    case store::RunStatus::running:
      return say(Msg::status_running);
    case store::RunStatus::finished:
      return say(Msg::status_finished);
    case store::RunStatus::interrupted:
      return say(Msg::status_interrupted);
    case store::RunStatus::incomplete:
      return say(Msg::status_incomplete);
  }
  return "";
}

json::value text_or_null(const std::string& text) { return text.empty() ? json::value(nullptr) : json::value(text); }

}  // namespace scoville::cli
