#include "operators/support.hpp"

#include <algorithm>
#include <array>

#include "base/json_text.hpp"
#include "text/catalogue/operators.hpp"

namespace scoville::operators {
namespace {

using text::OperatorsMsg;
using text::say;

json::array calls_json(const CaseResult& result) {
  json::array all;
  for (const HostCall& each : result.host_calls) {
    all.push_back({{"call", each.call}, {"inside", each.inside}, {"bytes", each.bytes}, {"calls", each.calls}});
  }
  return all;
}

json::array signs_json(const CaseResult& result) {
  json::array signs;
  if (result.by_trace) signs.emplace_back("dispatcher");
  if (result.by_warning) signs.emplace_back("warning");
  if (result.by_strict) signs.emplace_back("strict");
  return signs;
}

json::object case_json(const CaseResult& result) {
  const bool ran = result.ending == Ending::ran;
  json::object out{{"dtype", result.what.dtype},         {"shape", result.what.shape},
                   {"direction", result.what.direction}, {"outcome", name_of(result.ending)},
                   {"good", result.is_good()},           {"message", result.message}};
  if (!ran) return out;
  out["rel_l2"] = number_or_null(result.rel_l2);
  out["tolerance"] = number_or_null(result.tolerance);
  out["wrong"] = result.is_wrong;
  out["mismatched"] = result.mismatched;
  out["nan"] = result.nan;
  out["shape_differs"] = result.shape_differs;
  if (!result.no_reference.empty()) out["no_reference"] = result.no_reference;
  out["device_of_result"] = result.result_device;
  out["elsewhere"] = result.is_elsewhere;
  out["fallback"] = {{"signs", signs_json(result)}, {"bytes", result.host_bytes}, {"calls", calls_json(result)}};
  if (!result.warnings.empty()) out["warnings"] = json::array(result.warnings.begin(), result.warnings.end());
  if (!result.strict_refusal.empty()) out["strict_refusal"] = result.strict_refusal;
  return out;
}

json::object finding_json(const Finding& finding) {
  json::array shortfalls, cases;
  for (const Shortfall each : finding.shortfalls) shortfalls.emplace_back(name_of(each));
  for (const CaseResult& each : finding.cases) cases.push_back(case_json(each));
  json::object out{
      {"name", finding.name}, {"verdict", name_of(finding.verdict)}, {"shortfalls", std::move(shortfalls)}};
  if (!finding.since.empty()) out["since"] = finding.since;
  out["cases"] = std::move(cases);
  return out;
}

const json::array& list_in(const json::object& object, std::string_view key) {
  static const json::array none;
  const json::value* value = object.if_contains(key);
  return value && value->is_array() ? value->as_array() : none;
}

CaseResult case_from(const json::object& object) {
  CaseResult result;
  result.what = {0, text_in(object, "dtype"), text_in(object, "shape"), text_in(object, "direction")};
  const json::value* good = object.if_contains("good");
  const std::string outcome = text_in(object, "outcome");
  for (int i = 0; i <= static_cast<int>(Ending::skipped); ++i) {
    if (name_of(static_cast<Ending>(i)) == outcome) result.ending = static_cast<Ending>(i);
  }
  result.is_wrong = result.ending == Ending::ran && !(good && good->is_bool() && good->as_bool());
  result.message = text_in(object, "message");
  return result;
}

Result<Finding> finding_from(const json::value& value, const std::string& where) {
  if (!value.is_object()) return Error{ErrorCode::invalid_argument, where + ": " + say(OperatorsMsg::not_a_table)};
  const json::object& object = value.as_object();
  const std::optional<Verdict> verdict = verdict_named(text_in(object, "verdict"));
  Finding finding;
  finding.name = text_in(object, "name");
  if (!verdict || finding.name.empty()) {
    return Error{ErrorCode::invalid_argument, where + ": " + say(OperatorsMsg::not_a_table)};
  }
  finding.verdict = *verdict;
  for (const json::value& each : list_in(object, "shortfalls")) {
    for (int i = 0; i <= static_cast<int>(Shortfall::wrong_device); ++i) {
      if (each.is_string() && each.as_string() == name_of(static_cast<Shortfall>(i))) {
        finding.shortfalls.insert(static_cast<Shortfall>(i));
      }
    }
  }
  for (const json::value& each : list_in(object, "cases")) {
    if (each.is_object()) finding.cases.push_back(case_from(each.as_object()));
  }
  return finding;
}

bool is_there(const Finding* finding) { return finding && finding->verdict != Verdict::absent; }

/// 0 best. Skipped is no verdict: it is compared with nothing.
int rank(Verdict verdict) {
  if (verdict == Verdict::supported) return 0;
  return verdict == Verdict::partial ? 1 : 2;
}

const CaseResult* find_case(const Finding& finding, const Case& what) {
  for (const CaseResult& each : finding.cases) {
    if (each.what.name() == what.name() && each.ending != Ending::skipped) return &each;
  }
  return nullptr;
}

/// Only cases that both were asked about.
std::optional<Turn> turn_of(const Finding& before, const Finding& after, Change& change) {
  for (const CaseResult& now : after.cases) {
    const CaseResult* then = now.ending == Ending::skipped ? nullptr : find_case(before, now.what);
    if (!then || then->is_good() == now.is_good()) continue;
    (now.is_good() ? change.gained : change.lost).push_back(now.what);
  }
  if (change.gained.empty() != change.lost.empty()) return change.lost.empty() ? Turn::fixed : Turn::broken;
  if (!change.gained.empty()) return Turn::changed;
  if (rank(after.verdict) != rank(before.verdict) && before.cases.size() == after.cases.size()) {
    return rank(after.verdict) < rank(before.verdict) ? Turn::fixed : Turn::broken;
  }
  const bool differs = before.cases.size() == after.cases.size() &&
                       (before.verdict != after.verdict || before.shortfalls != after.shortfalls);
  return differs ? std::optional(Turn::changed) : std::nullopt;
}

const Finding* named(const Support& support, const std::string& name) {
  const auto found = std::find_if(support.findings.begin(), support.findings.end(),
                                  [&](const Finding& each) { return each.name == name; });
  return found == support.findings.end() ? nullptr : &*found;
}

/// "aten::softmax.int" → "aten::softmax".
std::string without_overload(const std::string& name) { return name.substr(0, name.find_first_of(". ")); }

}  // namespace

json::object support_json(const Support& support) {
  json::array operators;
  std::map<std::string_view, std::size_t> counts;
  for (const Finding& each : support.findings) {
    ++counts[name_of(each.verdict)];
    operators.push_back(finding_json(each));
  }
  json::object summary;
  for (int i = 0; i <= static_cast<int>(Verdict::skipped); ++i) {
    const std::string_view name = name_of(static_cast<Verdict>(i));
    summary[name] = counts[name];
  }
  return {{"format", "scoville-operators"}, {"version", 1},
          {"device", support.device},       {"device_name", support.device_name},
          {"probe", support.probe},         {"stack", support.stack},
          {"summary", std::move(summary)},  {"operators", std::move(operators)}};
}

Result<Support> support_from(const std::string& text, const std::string& where) {
  boost::system::error_code failed;
  const json::value parsed = json::parse(text, failed);
  const Error no_table{ErrorCode::invalid_argument, where + ": " + say(OperatorsMsg::not_a_table)};
  if (failed || !parsed.is_object()) return no_table;
  const json::object& object = parsed.as_object();
  if (text_in(object, "format") != "scoville-operators") return no_table;
  Support support;
  support.device = text_in(object, "device");
  support.device_name = text_in(object, "device_name");
  support.probe = text_in(object, "probe");
  if (const json::value* stack = object.if_contains("stack"); stack && stack->is_object()) {
    support.stack = stack->as_object();
  }
  for (const json::value& each : list_in(object, "operators")) {
    Result<Finding> finding = finding_from(each, where);
    if (!finding) return finding.error();
    support.findings.push_back(std::move(*finding));
  }
  return support;
}

std::string_view name_of(Turn turn) {
  constexpr std::array<std::string_view, 5> kNames{"fixed", "broken", "changed", "new", "gone"};
  return kNames[static_cast<std::size_t>(turn)];
}

std::vector<Change> compare(const Support& before, const Support& after) {
  std::vector<Change> changes;
  for (const Finding& now : after.findings) {
    const Finding* then = named(before, now.name);
    if (!then || now.verdict == Verdict::skipped || then->verdict == Verdict::skipped)
      continue;  // not asked both times
    Change change{now.name, Turn::changed, then->verdict, now.verdict, {}, {}};
    if (is_there(then) != is_there(&now)) {
      change.turn = is_there(then) ? Turn::gone : Turn::appeared;
    } else if (!is_there(then)) {
      continue;
    } else if (const std::optional<Turn> turn = turn_of(*then, now, change)) {
      change.turn = *turn;
    } else {
      continue;
    }
    changes.push_back(std::move(change));
  }
  return changes;
}

std::vector<Step> migration_order(const std::vector<Finding>& findings, const std::map<std::string, double>& shares) {
  std::vector<Step> steps;
  for (const Finding& each : findings) {
    if (each.verdict == Verdict::supported || each.verdict == Verdict::skipped) continue;
    const auto share = shares.find(without_overload(each.name));
    steps.push_back({&each, share == shares.end() ? std::nullopt : std::optional(share->second)});
  }
  std::stable_sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) {
    if (a.time_share != b.time_share) return a.time_share.value_or(-1) > b.time_share.value_or(-1);
    return rank(a.finding->verdict) > rank(b.finding->verdict);
  });
  return steps;
}

}  // namespace scoville::operators
