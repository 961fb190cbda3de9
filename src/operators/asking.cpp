#include "operators/asking.hpp"

#include <algorithm>
#include <map>

namespace scoville::operators {
namespace {

constexpr std::size_t kMostDeaths = 3;

std::map<std::size_t, json::object> rows_by_case(std::vector<json::object> rows) {
  std::map<std::size_t, json::object> by_case;
  for (json::object& row : rows) {
    const json::value* number = row.if_contains("case");
    if (number && number->is_number()) by_case[number->to_number<std::size_t>()] = std::move(row);
  }
  return by_case;
}

bool ends_everything(const probe::Fault& fault) {
  using probe::Reason;
  return fault.reason == Reason::no_tool || fault.reason == Reason::no_device ||
         fault.reason == Reason::not_implemented || fault.message == "interrupted";
}

bool kills_the_probe(const probe::Fault& fault) {
  return fault.reason == probe::Reason::crash || fault.reason == probe::Reason::timeout ||
         fault.reason == probe::Reason::oom;
}

}  // namespace

Asked ask(const Table& table, const Operator& op, const std::vector<Case>& cases, const std::string& device,
          const std::vector<std::string>& warns, const Asker& asker) {
  Asked asked;
  std::vector<Case> rest = cases;
  for (std::size_t deaths = 0; !rest.empty();) {
    probe::Outcome outcome = asker(question_about(table, op, rest, 0));
    const auto rows = rows_by_case(std::move(outcome.rows));
    std::size_t answered = 0;
    for (; answered < rest.size(); ++answered) {
      const auto row = rows.find(rest[answered].number);
      if (row == rows.end()) break;
      asked.cases.push_back(judge(op, rest[answered], row->second, device, warns));
    }
    rest.erase(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(answered));
    if (outcome.fault && ends_everything(*outcome.fault)) {
      asked.end = outcome.fault;
      return asked;
    }
    if (rest.empty()) break;
    const probe::Fault fault =
        outcome.fault.value_or(probe::Fault{probe::Reason::failed, "the probe left this case out"});
    if (kills_the_probe(fault) && ++deaths < kMostDeaths) {
      asked.cases.push_back(without_row(rest.front(), fault));
      rest.erase(rest.begin());
      continue;
    }
    if (kills_the_probe(fault)) {
      asked.cases.push_back(without_row(rest.front(), fault));
      rest.erase(rest.begin());
    }
    const probe::Fault why = kills_the_probe(fault)
                                 ? probe::Fault{probe::Reason::failed, "not asked: the probe had died three times"}
                                 : fault;
    for (const Case& each : rest) asked.cases.push_back(without_row(each, why));
    break;
  }
  return asked;
}

void confirm(const Table& table, const Operator& op, std::vector<CaseResult>& cases, const Asker& strict) {
  std::vector<Case> again;
  for (const CaseResult& each : cases) {
    if (each.ending == Ending::ran) again.push_back(each.what);
  }
  if (again.empty()) return;
  const Asked second = ask(table, op, again, "", {}, strict);
  for (const CaseResult& one : second.cases) {
    if (one.ending != Ending::refused) continue;
    const auto first =
        std::find_if(cases.begin(), cases.end(), [&](const CaseResult& each) { return each.what == one.what; });
    first->by_strict = true;
    first->strict_refusal = one.message;
  }
}

}  // namespace scoville::operators
