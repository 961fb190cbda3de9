#include "report/operators.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/duration.hpp"
#include "report/operators_migration.hpp"
#include "text/catalogue/operators.hpp"
#include "text/table.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using operators::CaseResult;
using operators::Change;
using operators::Ending;
using operators::Finding;
using operators::Shortfall;
using operators::Support;
using operators::Verdict;
using text::OperatorsMsg;
using text::say;

constexpr std::size_t kWidth = 100, kMessage = 160;

std::string verdict_text(Verdict verdict) {
  constexpr std::array<OperatorsMsg, 8> kWords{OperatorsMsg::verdict_supported,   OperatorsMsg::verdict_partial,
                                               OperatorsMsg::verdict_unsupported, OperatorsMsg::verdict_absent,
                                               OperatorsMsg::verdict_crash,       OperatorsMsg::verdict_timeout,
                                               OperatorsMsg::verdict_oom,         OperatorsMsg::verdict_skipped};
  return say(kWords[static_cast<std::size_t>(verdict)]);
}

std::string turn_text(operators::Turn turn) {
  constexpr std::array<OperatorsMsg, 5> kWords{OperatorsMsg::turn_fixed, OperatorsMsg::turn_broken,
                                               OperatorsMsg::turn_changed, OperatorsMsg::turn_appeared,
                                               OperatorsMsg::turn_gone};
  return say(kWords[static_cast<std::size_t>(turn)]);
}

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, ", ")); }

bool is_refused(const CaseResult& each) {
  return each.ending == Ending::refused || each.ending == Ending::absent || each.ending == Ending::oom;
}

std::string cut(const std::string& message) { return text::shorten(message, kMessage); }

/// What the first case with this value was told.
template <class Member>
std::string message_for(const Finding& finding, Member member, const std::string& value) {
  for (const CaseResult& each : finding.cases) {
    if (each.what.*member == value && is_refused(each)) return cut(each.message);
  }
  return "";
}

void add_refused(const Finding& finding, std::vector<std::string>& out) {
  using operators::Case;
  const operators::Missing missing = operators::missing_in(finding.cases);
  if (!missing.dtypes.empty()) {
    const std::string message = message_for(finding, &Case::dtype, missing.dtypes.front());
    out.push_back(say(OperatorsMsg::why_refused, joined(missing.dtypes), message));
  }
  const auto is_explained = [&](const CaseResult& each) {
    const auto has = [](const std::vector<std::string>& all, const std::string& one) {
      return std::find(all.begin(), all.end(), one) != all.end();
    };
    return has(missing.dtypes, each.what.dtype) || has(missing.shapes, each.what.shape) ||
           has(missing.directions, each.what.direction);
  };
  const auto message_of_other = [&](const std::vector<std::string>& values, auto member) {
    for (const CaseResult& each : finding.cases) {
      const bool is_dtypes =
          std::find(missing.dtypes.begin(), missing.dtypes.end(), each.what.dtype) != missing.dtypes.end();
      if (!is_dtypes && is_refused(each) && each.what.*member == values.front()) return cut(each.message);
    }
    return std::string();
  };
  if (!missing.directions.empty()) {
    out.push_back(say(OperatorsMsg::why_refused, joined(missing.directions),
                      message_of_other(missing.directions, &Case::direction)));
  }
  if (!missing.shapes.empty()) {
    out.push_back(
        say(OperatorsMsg::why_refused, joined(missing.shapes), message_of_other(missing.shapes, &Case::shape)));
  }
  if (missing.others == 0) return;
  const auto other = std::find_if(finding.cases.begin(), finding.cases.end(),
                                  [&](const CaseResult& each) { return is_refused(each) && !is_explained(each); });
  out.push_back(say(OperatorsMsg::why_others_refused, missing.others, other->what.name(), cut(other->message)));
}

std::string wrong_text(const CaseResult& result) {
  if (result.shape_differs) return say(OperatorsMsg::wrong_shape);
  if (result.nan > 0) return say(OperatorsMsg::wrong_nan, result.nan);
  if (result.mismatched > 0) return say(OperatorsMsg::wrong_whole, result.mismatched);
  const double found = result.rel_l2.value_or(0), due = result.tolerance.value_or(0);
  const std::string like = operators::looks_like(result.what.dtype, found);
  const std::string words = fmt::format("{:.1e}", found), limit = fmt::format("{:g}", due);
  return like.empty() ? say(OperatorsMsg::wrong_l2, words, limit)
                      : say(OperatorsMsg::wrong_l2_like, words, limit, like);
}

std::string sign_text(const CaseResult& result) {
  std::vector<std::string> signs;
  if (result.by_trace && !result.host_calls.empty()) {
    const operators::HostCall& first = result.host_calls.front();
    signs.push_back(say(OperatorsMsg::sign_trace, first.call, first.inside));
  }
  if (result.by_warning) signs.push_back(say(OperatorsMsg::sign_warning));
  if (result.by_strict) signs.push_back(say(OperatorsMsg::sign_strict));
  return fmt::format("{}", fmt::join(signs, "; "));
}

/// Cases for which `is_it` holds: how many, and the first; none: nothing.
template <class Claim>
std::pair<std::size_t, const CaseResult*> those(const Finding& finding, Claim is_it) {
  std::size_t count = 0;
  const CaseResult* first = nullptr;
  for (const CaseResult& each : finding.cases) {
    if (!is_it(each)) continue;
    if (count++ == 0) first = &each;
  }
  return {count, first};
}

void add_what_ran(const Finding& finding, std::vector<std::string>& out) {
  const std::size_t ran = those(finding, [](const CaseResult& each) { return each.ending == Ending::ran; }).first;
  const auto [wrong, first_wrong] = those(finding, [](const CaseResult& each) { return each.is_wrong; });
  if (wrong > 0)
    out.push_back(say(OperatorsMsg::why_wrong, wrong, ran, first_wrong->what.name(), wrong_text(*first_wrong)));
  const auto [fell, first_fell] = those(finding, [](const CaseResult& each) { return each.falls_back(); });
  if (fell > 0) out.push_back(say(OperatorsMsg::why_fallback, fell, ran, sign_text(*first_fell)));
  const auto [elsewhere, first_elsewhere] = those(finding, [](const CaseResult& each) { return each.is_elsewhere; });
  if (elsewhere > 0) out.push_back(say(OperatorsMsg::why_elsewhere, first_elsewhere->result_device));
}

void add_deaths(const Finding& finding, std::vector<std::string>& out) {
  for (const Ending ending : {Ending::crash, Ending::timeout, Ending::oom}) {
    const auto [count, first] = those(finding, [&](const CaseResult& each) { return each.ending == ending; });
    if (count > 0) out.push_back(say(OperatorsMsg::why_died, first->what.name(), cut(first->message)));
  }
}

/// "torch 1.13.1 · abi 1": the first versions of the stack.
std::string stack_text(const Support& support) {
  std::vector<std::string> parts{support.probe};
  for (const auto& member : support.stack) {
    if (parts.size() > 3) break;
    if (member.value().is_string() && !member.value().as_string().empty()) {
      parts.push_back(std::string(member.key()) + " " + std::string(member.value().as_string()));
    }
  }
  return fmt::format("{}", fmt::join(parts, " · "));
}

std::string short_name(const Finding& finding) {
  return finding.name.starts_with("aten::") ? finding.name.substr(6) : finding.name;
}

std::string supported_line(const Support& support) {
  std::vector<std::string> names;
  for (const Finding& each : support.findings) {
    if (each.verdict != Verdict::supported) continue;
    names.push_back(short_name(each));
  }
  if (names.empty()) return say(OperatorsMsg::line_none_supported);
  return say(OperatorsMsg::line_supported, names.size(), joined(names));
}

/// Whether nothing is wrong with it but that some dtypes are refused: such operators are told together.
bool lacks_only_dtypes(const Finding& finding) {
  return finding.verdict == Verdict::partial && finding.shortfalls == std::set{Shortfall::dtypes};
}

/// A paragraph for each set of dtypes that several operators refuse.
std::string lines_of_dtypes(const Support& support) {
  std::map<std::string, std::vector<const Finding*>> by_dtypes;
  for (const Finding& each : support.findings) {
    if (lacks_only_dtypes(each)) by_dtypes[joined(operators::missing_in(each.cases).dtypes)].push_back(&each);
  }
  std::string out;
  for (const auto& [dtypes, findings] : by_dtypes) {
    std::vector<std::string> names;
    for (const Finding* each : findings) names.push_back(short_name(*each));
    const std::string first = operators::missing_in(findings.front()->cases).dtypes.front();
    const std::string message = message_for(*findings.front(), &operators::Case::dtype, first);
    out += "\n" + text::wrapped("  " + say(OperatorsMsg::line_dtypes, names.size(), dtypes, joined(names), message),
                                kWidth, 4);
  }
  return out;
}

/// Operator and verdict once, then its reasons, wrapped beside them.
std::string rows_of_others(const Support& support) {
  std::size_t name_width = text::display_width(say(OperatorsMsg::column_operator)), verdict_width = 0;
  for (const Finding& each : support.findings) {
    if (each.verdict == Verdict::supported || lacks_only_dtypes(each)) continue;
    name_width = std::max(name_width, text::display_width(each.name));
    verdict_width = std::max(verdict_width, text::display_width(verdict_text(each.verdict)));
  }
  if (verdict_width == 0) return "";
  name_width = std::min<std::size_t>(name_width, 40);
  verdict_width = std::max(verdict_width, text::display_width(say(OperatorsMsg::column_verdict)));
  const std::size_t indent = 2 + name_width + 2 + verdict_width + 2;
  const auto line = [&](const std::string& name, const std::string& verdict, const std::string& why) {
    const std::string head = "  " + text::pad_right(text::shorten(name, name_width), name_width) + "  " +
                             text::pad_right(verdict, verdict_width) + "  ";
    const std::string body = text::wrapped(why, kWidth - indent, 0);
    std::string out;
    std::size_t from = 0;
    for (std::size_t end; (end = body.find('\n', from)) != std::string::npos; from = end + 1) {
      out += (out.empty() ? head : std::string(indent, ' ')) + body.substr(from, end - from) + "\n";
    }
    return out.empty() ? head + "\n" : out;
  };
  std::string out = "\n" + line(say(OperatorsMsg::column_operator), say(OperatorsMsg::column_verdict),
                                say(OperatorsMsg::column_evidence));
  for (const Finding& each : support.findings) {
    if (each.verdict == Verdict::supported || lacks_only_dtypes(each)) continue;
    bool is_first = true;
    for (const std::string& why : operator_evidence(each)) {
      out += line(is_first ? each.name : "", is_first ? verdict_text(each.verdict) : "", why);
      is_first = false;
    }
    if (is_first) out += line(each.name, verdict_text(each.verdict), "");
  }
  return out;
}

std::string changes_text(const OperatorsView& view) {
  std::string out =
      "\n" + text::wrapped(say(OperatorsMsg::head_changes, view.against, stack_text(view.before)), kWidth, 2);
  if (view.changes.empty()) return out + "  " + say(OperatorsMsg::no_changes) + "\n";
  text::Table table({say(OperatorsMsg::column_operator), say(OperatorsMsg::column_change),
                     say(OperatorsMsg::column_before), say(OperatorsMsg::column_now), say(OperatorsMsg::column_cases)});
  for (const std::size_t column : {1, 2, 3, 4}) table.flush_left(column);
  for (const Change& each : view.changes) {
    std::vector<std::string> cases;
    if (!each.gained.empty()) cases.push_back(fmt::format("+{}", each.gained.size()));
    if (!each.lost.empty()) cases.push_back(fmt::format("-{}", each.lost.size()));
    table.add_row({text::shorten(each.name, 40), turn_text(each.turn), verdict_text(each.before),
                   verdict_text(each.after), fmt::format("{}", fmt::join(cases, " "))});
  }
  return out + table.render();
}

std::string unjudged_line(const Support& support) {
  std::vector<std::string> names;
  for (const Finding& each : support.findings) {
    const bool is_unjudged = std::any_of(each.cases.begin(), each.cases.end(),
                                         [](const CaseResult& one) { return !one.no_reference.empty(); });
    if (is_unjudged) names.push_back(each.name);
  }
  return names.empty() ? "" : text::wrapped(say(OperatorsMsg::line_unjudged, joined(names)), kWidth, 2);
}

json::object change_json(const Change& change) {
  const auto names = [](const std::vector<operators::Case>& cases) {
    json::array all;
    for (const operators::Case& each : cases) all.emplace_back(each.name());
    return all;
  };
  return {{"name", change.name},
          {"change", operators::name_of(change.turn)},
          {"before", operators::name_of(change.before)},
          {"after", operators::name_of(change.after)},
          {"gained", names(change.gained)},
          {"lost", names(change.lost)}};
}

/// While it lives English is spoken.
class InEnglish {
 public:
  InEnglish() : before_(text::language()) { text::set_language(text::Language::english); }
  ~InEnglish() { text::set_language(before_); }
  InEnglish(const InEnglish&) = delete;
  InEnglish& operator=(const InEnglish&) = delete;

 private:
  text::Language before_;
};

}  // namespace

std::vector<std::string> operator_evidence(const Finding& finding) {
  std::vector<std::string> out;
  switch (finding.verdict) {
    case Verdict::supported:
      break;
    case Verdict::absent:
      out.push_back(finding.since.empty() ? say(OperatorsMsg::why_absent)
                                          : say(OperatorsMsg::why_absent_since, finding.since));
      break;
    case Verdict::unsupported: {
      const auto [count, first] = those(finding, is_refused);
      if (first) out.push_back(say(OperatorsMsg::why_refused_plain, cut(first->message)));
      break;
    }
    case Verdict::skipped:
      if (!finding.cases.empty()) out.push_back(say(OperatorsMsg::why_skipped, cut(finding.cases.front().message)));
      break;
    case Verdict::crash:
    case Verdict::timeout:
    case Verdict::oom:
      add_deaths(finding, out);
      add_what_ran(finding, out);
      break;
    case Verdict::partial:
      add_refused(finding, out);
      add_what_ran(finding, out);
  }
  return out;
}

std::string verdict_word(Verdict verdict) { return verdict_text(verdict); }

json::object operators_json(const OperatorsView& view) {
  const InEnglish english;
  json::object out = operators::support_json(view.support);
  json::array& rows = out["operators"].as_array();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::vector<std::string> evidence = operator_evidence(view.support.findings[i]);
    rows[i].as_object()["evidence"] = json::array(evidence.begin(), evidence.end());
  }
  if (!view.trace.empty()) out["migration"] = migration_json(view);
  out["model"] = view.model.empty() ? json::value(nullptr) : json::value(view.model);
  if (view.against.empty()) return out;
  json::array changes;
  for (const Change& each : view.changes) changes.push_back(change_json(each));
  out["against"] = {{"file", view.against}, {"stack", view.before.stack}, {"changes", std::move(changes)}};
  return out;
}

std::string operators_table(const OperatorsView& view) {
  const Support& support = view.support;
  const std::string device =
      support.device_name.empty() ? support.device : support.device + " (" + support.device_name + ")";
  std::string out = view.model.empty() ? say(OperatorsMsg::head, device, stack_text(support))
                                       : say(OperatorsMsg::head_model, device, view.model, stack_text(support));
  out = text::wrapped(out, kWidth, 2) + "\n";
  if (!view.is_family_known) out += text::wrapped(say(OperatorsMsg::family_unknown, view.model), kWidth, 2);
  out += "  " + text::wrapped(supported_line(support), kWidth - 2, 4);
  out += lines_of_dtypes(support) + rows_of_others(support);
  if (!view.against.empty()) out += changes_text(view);
  if (!view.trace.empty()) out += migration_table(view);
  std::size_t cases = 0;
  for (const Finding& each : support.findings) cases += each.cases.size();
  out += "\n" + unjudged_line(support);
  out += text::wrapped(say(OperatorsMsg::line_cases, cases, support.findings.size(), format_duration(view.took)),
                       kWidth, 2);
  return out + text::wrapped(say(OperatorsMsg::line_one_call), kWidth, 2);
}

}  // namespace scoville::report
