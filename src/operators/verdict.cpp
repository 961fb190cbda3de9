#include "operators/verdict.hpp"

#include <algorithm>
#include <array>

namespace scoville::operators {
namespace {

constexpr std::array<std::string_view, 8> kVerdicts{"supported", "partial", "unsupported", "absent",
                                                    "crash",     "timeout", "oom",         "skipped"};

std::size_t count(const std::vector<CaseResult>& cases, Ending ending) {
  return static_cast<std::size_t>(
      std::count_if(cases.begin(), cases.end(), [&](const CaseResult& each) { return each.ending == ending; }));
}

bool is_refused(const CaseResult& each) {
  return each.ending == Ending::refused || each.ending == Ending::absent || each.ending == Ending::oom;
}

/// Values of one member that are refused in all of `cases` that have them, while others are not.
template <class Member>
std::vector<std::string> refused_throughout(const std::vector<const CaseResult*>& cases, Member member) {
  std::vector<std::string> values, refused;
  for (const CaseResult* each : cases) {
    const std::string& value = each->what.*member;
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  }
  for (const std::string& value : values) {
    const bool all = std::all_of(cases.begin(), cases.end(), [&](const CaseResult* each) {
      return each->what.*member != value || is_refused(*each);
    });
    if (all) refused.push_back(value);
  }
  return refused.size() == values.size() ? std::vector<std::string>() : refused;
}

template <class Member>
void leave_out(std::vector<const CaseResult*>& cases, Member member, const std::vector<std::string>& values) {
  std::erase_if(cases, [&](const CaseResult* each) {
    return std::find(values.begin(), values.end(), each->what.*member) != values.end();
  });
}

std::set<Shortfall> shortfalls_of(const std::vector<CaseResult>& cases) {
  std::set<Shortfall> all;
  const Missing missing = missing_in(cases);
  if (!missing.dtypes.empty()) all.insert(Shortfall::dtypes);
  if (!missing.shapes.empty()) all.insert(Shortfall::shapes);
  if (!missing.directions.empty()) all.insert(Shortfall::directions);
  if (missing.others > 0) all.insert(Shortfall::combinations);
  for (const CaseResult& each : cases) {
    if (each.ending != Ending::ran) continue;
    if (each.is_wrong) all.insert(Shortfall::numerics);
    if (each.falls_back()) all.insert(Shortfall::fallback);
    if (each.is_elsewhere) all.insert(Shortfall::wrong_device);
  }
  return all;
}

Verdict verdict_of(const std::vector<CaseResult>& cases) {
  const std::size_t tried = cases.size() - count(cases, Ending::skipped);
  if (count(cases, Ending::crash) > 0) return Verdict::crash;
  if (count(cases, Ending::timeout) > 0) return Verdict::timeout;
  if (tried == 0) return Verdict::skipped;
  if (count(cases, Ending::absent) == tried) return Verdict::absent;
  const bool does_any_run = std::any_of(cases.begin(), cases.end(), [](const CaseResult& each) {
    return each.ending == Ending::ran && each.what.shape != "empty";
  });
  if (!does_any_run) return count(cases, Ending::oom) > 0 ? Verdict::oom : Verdict::unsupported;
  const bool all_good = std::all_of(cases.begin(), cases.end(), [](const CaseResult& each) { return each.is_good(); });
  return all_good ? Verdict::supported : Verdict::partial;
}

}  // namespace

std::string_view name_of(Verdict verdict) { return kVerdicts[static_cast<std::size_t>(verdict)]; }

std::optional<Verdict> verdict_named(std::string_view name) {
  const auto found = std::find(kVerdicts.begin(), kVerdicts.end(), name);
  if (found == kVerdicts.end()) return std::nullopt;
  return static_cast<Verdict>(found - kVerdicts.begin());
}

std::string_view name_of(Shortfall shortfall) {
  constexpr std::array<std::string_view, 7> kNames{"dtypes",   "shapes",   "directions",  "combinations",
                                                   "numerics", "fallback", "wrong_device"};
  return kNames[static_cast<std::size_t>(shortfall)];
}

Missing missing_in(const std::vector<CaseResult>& cases) {
  std::vector<const CaseResult*> left;
  for (const CaseResult& each : cases) {
    if (each.ending != Ending::skipped) left.push_back(&each);
  }
  Missing missing;
  // Without elements there is nothing to compute: that an empty call passes says nothing for a dtype.
  std::vector<const CaseResult*> with_elements = left;
  leave_out(with_elements, &Case::shape, {"empty"});
  missing.dtypes = refused_throughout(with_elements, &Case::dtype);
  leave_out(left, &Case::dtype, missing.dtypes);
  missing.directions = refused_throughout(left, &Case::direction);
  leave_out(left, &Case::direction, missing.directions);
  missing.shapes = refused_throughout(left, &Case::shape);
  leave_out(left, &Case::shape, missing.shapes);
  missing.others = static_cast<std::size_t>(
      std::count_if(left.begin(), left.end(), [](const CaseResult* each) { return is_refused(*each); }));
  return missing;
}

Finding find(const Operator& op, std::vector<CaseResult> cases) {
  Finding finding{op.title(), op.since, verdict_of(cases), {}, {}};
  const bool is_said_already = finding.verdict == Verdict::supported || finding.verdict == Verdict::unsupported ||
                               finding.verdict == Verdict::absent || finding.verdict == Verdict::skipped;
  if (!is_said_already) finding.shortfalls = shortfalls_of(cases);
  finding.cases = std::move(cases);
  return finding;
}

}  // namespace scoville::operators
