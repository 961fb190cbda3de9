#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "report/cells.hpp"
#include "report/matrix_words.hpp"
#include "report/next.hpp"
#include "text/catalogue/next.hpp"
#include "text/table.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using migration::ItemEstimate;
using migration::Log;
using migration::Stage;
using migration::StageState;
using text::NextMsg;
using text::say;

std::string line(const std::string& sentence, std::size_t indent = 2) {
  return text::wrapped(sentence, kDecisionWidth, indent);
}
std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, say(NextMsg::comma)));
}
std::string name_of_stage(const Stage& stage) { return fmt::format("{} {}", stage.number, say(stage.title)); }
std::string ids(const std::vector<const Stage*>& stages) {
  std::vector<std::string> out;
  for (const Stage* each : stages) out.push_back(each->id);
  return joined(out);
}
std::string days(double value) { return fmt::format("{:.3g}", value); }
/// "0.5", "12", "3300": whole from 100 on.
std::string amount(double value) { return value >= 100 ? fmt::format("{:.0f}", value) : fmt::format("{:.1f}", value); }

/// "CNY 529,169"; in Chinese from ten thousand on "52.92 万元", "7.35 万 USD".
std::string money(const Money& money) {
  const bool is_yuan = money.currency == "CNY";
  if (text::language() == text::Language::chinese && money.amount >= 1e4) {
    const std::string amount = fmt::format("{:.2f}", money.amount / 1e4);
    return is_yuan ? say(NextMsg::ten_thousand_yuan, amount) : say(NextMsg::ten_thousand, amount, money.currency);
  }
  std::string digits = fmt::format("{:.0f}", money.amount);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return money.currency + " " + digits;
}

std::string head(const NextView& view) {
  const auto open = view.log.open_stages();
  if (view.log.entries().empty()) return line(say(NextMsg::head_not_begun, view.log_file));
  if (!open.empty()) {
    std::vector<std::string> names;
    for (const Stage* each : open) names.push_back(name_of_stage(*each));
    return line(say(NextMsg::head_open, joined(names), view.log_file));
  }
  return line(say(view.log.enterable().empty() ? NextMsg::head_over : NextMsg::head_between, view.log_file));
}

std::string stage_table(const Log& log) {
  constexpr std::array kPhases{NextMsg::phase_not_entered, NextMsg::phase_open, NextMsg::phase_met,
                               NextMsg::phase_not_met};
  text::Table table({say(NextMsg::column_stage), "", say(NextMsg::column_entered), say(NextMsg::column_left),
                     say(NextMsg::column_result)});
  for (const std::size_t column : {1, 2, 3, 4}) table.flush_left(column);
  for (const Stage& each : migration::stages()) {
    const StageState state = log.state(each);
    const std::string forced = state.is_forced ? say(NextMsg::forced) + " " : "";
    table.add_row({fmt::format("{} {}", each.number, each.id), say(kPhases[static_cast<std::size_t>(state.phase)]),
                   state.entered.empty() ? std::string(kNone) : state.entered,
                   state.left.empty() ? std::string(kNone) : state.left, text::shorten(forced + state.result, 42)});
  }
  return table.render();
}

/// What an open stage asks, how to answer, what it takes to leave.
std::string open_stage(const Stage& stage) {
  std::string out =
      "\n" + line(say(NextMsg::asks, name_of_stage(stage), say(stage.does))) + say(NextMsg::to_run) + "\n";
  for (const std::string& each : stage.commands) out += line("  " + each, 6);
  return out +
         line(say(NextMsg::to_leave, say(stage.gate), fmt::format("scoville next leave {} --result \"…\"", stage.id)));
}

std::string way_on(const Log& log) {
  std::string out;
  for (const Stage* each : log.open_stages()) out += open_stage(*each);
  const auto enterable = log.enterable();
  if (enterable.empty()) return out;
  out += "\n" + line(say(NextMsg::may_enter, ids(enterable)));
  for (const Stage* each : enterable) {
    if (log.open_stages().empty()) out += line(say(NextMsg::asks, name_of_stage(*each), say(each->does)));
    out += fmt::format("  scoville next enter {}\n", each->id);
  }
  return out;
}

std::string basis_cell(const ItemEstimate& each) {
  constexpr std::array kBases{NextMsg::basis_assumption, NextMsg::basis_estimate, NextMsg::basis_log,
                              NextMsg::basis_quote};
  const std::string basis = say(kBases[static_cast<std::size_t>(each.item.basis)]);
  switch (each.state) {
    case ItemEstimate::State::estimated:
      return basis;
    case ItemEstimate::State::in_progress:
      return say(NextMsg::state_in_progress, basis);
    case ItemEstimate::State::logged:
      return say(NextMsg::state_logged);
    case ItemEstimate::State::first_token:
      break;
  }
  return say(NextMsg::state_first_token);
}

std::string item_table(const migration::Estimate& estimate) {
  text::Table table({say(NextMsg::column_item), say(NextMsg::column_range), say(NextMsg::column_booked),
                     say(NextMsg::column_spread), say(NextMsg::column_basis)});
  table.flush_left(4);
  for (const ItemEstimate& each : estimate.items) {
    const bool is_over = each.state == ItemEstimate::State::logged || each.state == ItemEstimate::State::first_token;
    const std::string range =
        fmt::format("{} … {} … {}", days(each.item.low), days(each.item.likely), days(each.item.high));
    table.add_row({text::shorten(each.item.id + " · " + each.item.title.said(), 38), is_over ? kNone : range,
                   each.booked > 0 || is_over ? amount(each.booked) : "",
                   is_over ? "" : fmt::format("{:.0f} %", each.spread_share * 100), basis_cell(each)});
  }
  return table.render();
}

std::string assumptions(const migration::Estimate& estimate) {
  std::vector<std::string> sources;
  for (const ItemEstimate& each : estimate.items) {
    const bool is_open = each.state == ItemEstimate::State::estimated || each.state == ItemEstimate::State::in_progress;
    const bool is_chinese = text::language() == text::Language::chinese && !each.item.source_zh.empty();
    const std::string& source = is_chinese ? each.item.source_zh : each.item.source;
    const bool is_new = std::find(sources.begin(), sources.end(), source) == sources.end();
    if (is_open && each.item.basis == migration::Basis::assumption && is_new) sources.push_back(source);
  }
  if (sources.empty()) return "";
  return line(say(NextMsg::assumed, estimate.assumed, estimate.items.size(), listed(sources)));
}

}  // namespace

std::string migration_table(const migration::Plan& plan, const migration::Estimate& estimate) {
  const migration::Spread &person_days = estimate.person_days, &months = estimate.engineer_months;
  std::string out = say(NextMsg::work_head) + "\n\n" + item_table(estimate);
  out += line(say(NextMsg::sum_days, amount(person_days.p50), amount(person_days.p10), amount(person_days.p90),
                  amount(months.p50), amount(months.p10), amount(months.p90)));
  if (estimate.cost_p50 && plan.people) {
    out +=
        line(say(NextMsg::sum_money, money(*estimate.cost_p50), money(*estimate.cost_p10), money(*estimate.cost_p90)));
    const std::string per_year = money({plan.people->per_year, plan.people->currency});
    out += line(say(NextMsg::people, per_year, plan.people->source, plan.days_per_year));
  } else {
    out += line(say(NextMsg::no_money));
  }
  out += assumptions(estimate);
  if (estimate.first_token)
    out += line(say(NextMsg::first_token_line, estimate.first_token->date, estimate.first_token->after_days));
  if (!estimate.booked_elsewhere.empty())
    out += line(say(NextMsg::booked_elsewhere, joined(estimate.booked_elsewhere)));
  return out;
}

std::string next_table(const NextView& view) {
  return head(view) + "\n" + stage_table(view.log) + way_on(view.log) + "\n" +
         migration_table(view.plan, view.estimate);
}

}  // namespace scoville::report
