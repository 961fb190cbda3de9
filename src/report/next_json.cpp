#include <array>

#include "report/next.hpp"

namespace scoville::report {
namespace {

using migration::Log;
using migration::Stage;
using migration::StageState;

json::value text_or_null(const std::string& text) { return text.empty() ? json::value(nullptr) : json::value(text); }

json::object stage_json(const Log& log, const Stage& stage) {
  constexpr std::array<std::string_view, 4> kPhases{"not_entered", "open", "met", "not_met"};
  const StageState state = log.state(stage);
  json::array commands, lacking;
  for (const std::string& each : stage.commands) commands.push_back(json::string(each));
  for (const Stage* each : log.lacking(stage)) lacking.push_back(json::string(each->id));
  return {{"number", stage.number},
          {"stage", stage.id},
          {"phase", json::string(kPhases[static_cast<std::size_t>(state.phase)])},
          {"entered", text_or_null(state.entered)},
          {"left", text_or_null(state.left)},
          {"result", text_or_null(state.result)},
          {"forced", state.is_forced},
          {"does", text::say_in(text::Language::english, stage.does)},
          {"gate", text::say_in(text::Language::english, stage.gate)},
          {"lacking", std::move(lacking)},
          {"commands", std::move(commands)}};
}

json::object spread_json(const migration::Spread& spread) {
  return {{"p10", spread.p10}, {"p50", spread.p50}, {"p90", spread.p90}, {"mean", spread.mean}};
}

json::object item_json(const migration::ItemEstimate& each) {
  constexpr std::array<std::string_view, 4> kStates{"estimated", "in_progress", "logged", "first_token"};
  return {{"item", each.item.id},
          {"title", each.item.title.english},
          {"low", each.item.low},
          {"likely", each.item.likely},
          {"high", each.item.high},
          {"basis", json::string(name_of(each.item.basis))},
          {"source", text_or_null(each.item.source)},
          {"date", text_or_null(each.item.date)},
          {"state", json::string(kStates[static_cast<std::size_t>(each.state)])},
          {"booked", each.booked},
          {"days", each.days},
          {"spread_share", each.spread_share}};
}

json::array names_of(const std::vector<const Stage*>& stages) {
  json::array out;
  for (const Stage* each : stages) out.push_back(json::string(each->id));
  return out;
}

}  // namespace

json::object migration_json(const migration::Plan& plan, const migration::Estimate& estimate) {
  json::array items, elsewhere;
  for (const migration::ItemEstimate& each : estimate.items) items.push_back(item_json(each));
  for (const std::string& each : estimate.booked_elsewhere) elsewhere.push_back(json::string(each));
  json::object out{{"person_days", spread_json(estimate.person_days)},
                   {"engineer_months", spread_json(estimate.engineer_months)},
                   {"cost", nullptr},
                   {"days_per_year", plan.days_per_year},
                   {"shape", plan.shape == migration::Shape::pert ? "pert" : "triangular"},
                   {"correlation", plan.correlation},
                   {"draws", plan.draws},
                   {"seed", plan.seed},
                   {"assumed", estimate.assumed},
                   {"booked_days", estimate.booked_days},
                   {"booked_elsewhere", std::move(elsewhere)},
                   {"first_token", nullptr},
                   {"items", std::move(items)}};
  if (estimate.cost_p50) {
    out["cost"] = json::object{{"currency", estimate.cost_p50->currency},
                               {"p10", estimate.cost_p10->amount},
                               {"p50", estimate.cost_p50->amount},
                               {"p90", estimate.cost_p90->amount}};
  }
  if (estimate.first_token)
    out["first_token"] =
        json::object{{"date", estimate.first_token->date}, {"after_days", estimate.first_token->after_days}};
  return out;
}

json::object next_json(const NextView& view) {
  json::array stages;
  for (const Stage& each : migration::stages()) stages.push_back(stage_json(view.log, each));
  return {{"schema", "scoville.next/1"},
          {"log", view.log_file},
          {"entries", view.log.entries().size()},
          {"open", names_of(view.log.open_stages())},
          {"enterable", names_of(view.log.enterable())},
          {"stages", std::move(stages)},
          {"migration", migration_json(view.plan, view.estimate)}};
}

}  // namespace scoville::report
