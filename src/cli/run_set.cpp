#include "cli/run_set.hpp"

#include <algorithm>

namespace scoville::cli {

report::RunOfSet run_of_set(Measured measured) {
  return {std::move(measured.analysis), std::move(measured.plan), std::move(measured.shape),
          std::move(measured.subject), measured.result.was_interrupted};
}

Result<report::RunSet> read_set(const store::RunStore& store, const std::string& name,
                                const std::vector<store::RunInfo>& runs) {
  report::RunSet out;
  const auto all = [&](std::string store::RunInfo::*member, const std::string& value) {
    return std::all_of(runs.begin(), runs.end(), [&](const store::RunInfo& run) { return run.*member == value; });
  };
  const store::RunInfo& first = runs.front();
  if (all(&store::RunInfo::tag, first.tag)) out.tag = first.tag;
  if (!first.set.empty() && all(&store::RunInfo::set, first.set)) {
    const Result<std::vector<store::RunInfo>> whole = store.find(first.set);
    if (!whole) return whole.error();
    if (whole->size() == runs.size()) out.id = first.set;
  }
  if (out.id.empty() && out.tag.empty()) out.tag = name;
  for (const store::RunInfo& each : runs) {
    Result<Measured> measured = read_measured(store, each.id);
    if (!measured) return measured.error();
    out.runs.push_back(run_of_set(std::move(*measured)));
  }
  return out;
}

}  // namespace scoville::cli
