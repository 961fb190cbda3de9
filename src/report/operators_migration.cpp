#include "report/operators_migration.hpp"

#include <fmt/format.h>

#include "text/catalogue/operators.hpp"
#include "text/table.hpp"

namespace scoville::report {
namespace {

using text::OperatorsMsg;
using text::say;

std::vector<operators::Step> steps_of(const OperatorsView& view) {
  return operators::migration_order(view.support.findings, view.shares);
}

}  // namespace

json::array migration_json(const OperatorsView& view) {
  json::array steps;
  for (const operators::Step& each : steps_of(view)) {
    steps.push_back({{"name", each.finding->name},
                     {"verdict", operators::name_of(each.finding->verdict)},
                     {"time_share", number_or_null(each.time_share)}});
  }
  return steps;
}

std::string migration_table(const OperatorsView& view) {
  text::Table table(
      {say(OperatorsMsg::column_operator), say(OperatorsMsg::column_verdict), say(OperatorsMsg::column_share)});
  table.flush_left(1);
  bool is_any = false;
  for (const operators::Step& each : steps_of(view)) {
    if (!each.time_share) continue;
    is_any = true;
    table.add_row(
        {each.finding->name, verdict_word(each.finding->verdict), fmt::format("{:.1f} %", 100 * *each.time_share)});
  }
  const std::string head = "\n" + say(OperatorsMsg::head_migration, view.trace) + "\n";
  return head + (is_any ? table.render() : "  " + say(OperatorsMsg::no_migration) + "\n");
}

}  // namespace scoville::report
