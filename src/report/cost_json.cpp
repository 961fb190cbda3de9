#include "report/cost.hpp"
#include "text/catalogue.hpp"

namespace scoville::report {
namespace {

using cost::In;

json::value text(std::string_view words) { return json::string(words); }

json::array texts(const std::vector<std::string>& words) {
  json::array out;
  for (const std::string& each : words) out.push_back(text(each));
  return out;
}

json::value interval_or_null(const std::optional<stats::Interval>& interval) {
  if (!interval) return nullptr;
  return json::array{interval->lower, interval->upper};
}

json::object costs_json(const cost::UnitCosts& costs) {
  return {{"all", number_or_null(costs.blended)},
          {"in", number_or_null(costs.in)},
          {"cached", number_or_null(costs.cached)},
          {"out", number_or_null(costs.out)}};
}

json::object annual_json(const cost::Annual& annual) {
  json::object parts;
  for (std::size_t i = 0; i < cost::kParts; ++i) parts[cost::kPartNames[i]] = annual.parts[i];
  const double total = annual.total();
  return {{"parts", std::move(parts)},
          {"total", total},
          {"per_month", total / 12},
          {"power", {{"per_year", annual.power()}, {"per_month", annual.power() / 12}}},
          {"capex",
           {{"acc", annual.capex_acc},
            {"node", annual.capex_node},
            {"net", annual.capex_net},
            {"hardware", annual.capex_hw},
            {"install", annual.capex_install},
            {"total", annual.capex_total},
            {"residual", annual.residual},
            {"residual_now", annual.residual_now}}},
          {"kw_prov", annual.kw_prov},
          {"kw_avg", annual.kw_avg},
          {"kwh_it", annual.kwh_it},
          {"kwh_facility", annual.kwh_facility},
          {"failures", annual.failures},
          {"port_oneoff", annual.port_oneoff},
          {"delay_oneoff", annual.delay_oneoff}};
}

json::array bars_json(const std::vector<cost::Bar>& bars, const cost::Outcome& outcome) {
  json::array out;
  for (const cost::Bar& each : bars) {
    json::array of;
    for (const std::size_t i : each.lever.options) of.push_back(text(outcome.options[i].name));
    const bool is_scale = each.lever.id == In::perf_scale;
    out.push_back(json::object{{"input", text(is_scale ? "perf" : cost::path_of(cost::input_of(each.lever.id)))},
                               {"options", std::move(of)},
                               {"base", each.lever.base},
                               {"low", each.lever.low},
                               {"high", each.lever.high},
                               {"at_low", each.at_low},
                               {"at_high", each.at_high},
                               {"swing", each.swing()}});
  }
  return out;
}

json::value fleet_json(const cost::OptionOutcome& option) {
  if (option.kind == cost::Kind::api) return nullptr;
  return json::object{{"serving", option.fleet.serving},
                      {"installed", option.fleet.installed},
                      {"bought", option.fleet.bought},
                      {"nodes", option.fleet.nodes}};
}

json::value tokens_json(const cost::OptionOutcome& option) {
  if (option.kind == cost::Kind::api) return nullptr;
  return json::object{{"unplanned_down", option.tokens.unplanned_down},
                      {"availability", option.tokens.availability},
                      {"useful_share", option.tokens.useful_share},
                      {"mtok_out_per_acc", option.tokens.mtok_out},
                      {"mtok_in_per_acc", option.tokens.mtok_in}};
}

json::value perf_json(const cost::OptionOutcome& option) {
  if (option.kind == cost::Kind::api) return nullptr;
  const cost::Perf& perf = option.perf;
  return json::object{{"from_result", perf.link ? text(perf.link->set) : json::value(nullptr)},
                      {"point", perf.link ? text(perf.link->point) : json::value(nullptr)},
                      {"runs", perf.runs > 0 ? json::value(perf.runs) : json::value(nullptr)},
                      {"out_per_s", option.plant.out_rate()},
                      {"out_low", number_or_null(perf.out_per_s.low)},
                      {"out_high", number_or_null(perf.out_per_s.high)},
                      {"in_per_s", option.plant.in_rate()},
                      {"cached_share", option.plant[In::cached_share]},
                      {"input_time_share", number_or_null(option.input_time_share)}};
}

json::value energy_json(const cost::OptionOutcome& option) {
  if (option.kind != cost::Kind::owned) return nullptr;
  const double out = option.volumes.out;
  return json::object{{"kwh_facility_per_mtok_out", option.annual.kwh_facility / out},
                      {"joules_per_out_token", option.annual.kwh_facility * 3.6 / out},
                      {"joules_per_out_token_it", option.annual.kwh_it * 3.6 / out},
                      {"out_per_s_per_kw", option.rack ? json::value(option.rack->out_per_s_per_kw) : nullptr}};
}

json::value rack_json(const std::optional<cost::RackCheck>& rack) {
  if (!rack) return nullptr;
  return json::object{{"acc_per_rack", number_or_null(rack->acc_per_rack)},
                      {"racks", number_or_null(rack->racks)},
                      {"node_fits", rack->node_fits},
                      {"kw_prov", rack->kw_prov},
                      {"power_limit_kw", number_or_null(rack->power_limit)},
                      {"power_fits", rack->power_fits}};
}

json::value spares_json(const std::optional<cost::SpareCheck>& spares) {
  if (!spares) return nullptr;
  return json::object{{"lead_weeks", spares->lead_weeks},
                      {"service_level", spares->service_level},
                      {"expected_failures", spares->expected_failures},
                      {"needed", spares->needed},
                      {"held", spares->held},
                      {"enough", spares->is_enough()}};
}

json::value training_json(const cost::OptionOutcome& option) {
  if (!option.training) return nullptr;
  const cost::TrainingGoodput& training = *option.training;
  return json::object{
      {"mtbi_s", training.job.mtbi},      {"young_s", training.young},
      {"daly_s", training.daly},          {"ettr_young", training.ratio_young},
      {"ettr_daly", training.ratio_daly}, {"per_useful_acc_hour", number_or_null(option.per_useful_acc_hour)}};
}

json::object option_json(const cost::OptionOutcome& option, const cost::Outcome& outcome) {
  json::object methods;
  for (const auto& [method, costs] : option.methods)
    methods[cost::kMethodNames[static_cast<std::size_t>(method)]] = costs_json(costs);
  const bool is_rented = option.kind == cost::Kind::rented;
  json::object unit = costs_json(option.unit);
  unit["method"] = option.used ? text(cost::kMethodNames[static_cast<std::size_t>(*option.used)]) : text("price_list");
  unit["out_interval"] = interval_or_null(option.out_interval);
  return {
      {"name", text(option.name)},
      {"kind", text(cost::kKindNames[static_cast<std::size_t>(option.kind)])},
      {"billing",
       is_rented ? text(option.billing == cost::Billing::committed ? "committed" : "on_demand") : json::value(nullptr)},
      {"fleet", fleet_json(option)},
      {"tokens", tokens_json(option)},
      {"perf", perf_json(option)},
      {"mtok_per_year", {{"out", option.volumes.out}, {"in", option.volumes.in}, {"cached", option.volumes.cached}}},
      {"annual", annual_json(option.annual)},
      {"per_mtok", std::move(unit)},
      {"methods", std::move(methods)},
      {"per_acc_hour", number_or_null(option.per_acc_hour)},
      {"hourly_rule_per_mtok", number_or_null(option.hourly_rule)},
      {"energy", energy_json(option)},
      {"rack", rack_json(option.rack)},
      {"spares", spares_json(option.spares)},
      {"training", training_json(option)},
      {"tornado", bars_json(option.bars, outcome)}};
}

json::value whole_json(const std::optional<cost::WholePoint>& point) {
  if (!point) return nullptr;
  return json::object{{"first_acc", point->first_acc},
                      {"option_acc", point->option_acc},
                      {"mtok_out_per_year", point->mtok_out},
                      {"first_cost", point->first_cost},
                      {"option_cost", point->option_cost}};
}

json::object line_json(const cost::Line& line) {
  return {{"fixed", line.fixed},
          {"per_acc", line.per_acc},
          {"mtok_out_per_acc", line.mtok_out_per_acc},
          {"per_mtok_out", line.per_mtok_out}};
}

json::object break_even_json(const cost::BreakEven& found) {
  json::value zone = nullptr;
  if (found.zone)
    zone = json::object{{"first_win", whole_json(found.zone->first_win)},
                        {"last_loss", whole_json(found.zone->last_loss)}};
  return {{"cheaper", text(cost::kSenseNames[static_cast<std::size_t>(found.sense)])},
          {"mtok_out_per_year", number_or_null(found.mtok_out)},
          {"first_acc", number_or_null(found.first_acc)},
          {"option_acc", number_or_null(found.option_acc)},
          {"whole_nodes", std::move(zone)},
          {"line_first", line_json(found.first)},
          {"line_option", line_json(found.option)}};
}

json::value porting_json(const std::optional<cost::PortingCase>& porting) {
  if (!porting) return nullptr;
  return json::object{{"oneoff", porting->oneoff},
                      {"saving_before", porting->saving_before},
                      {"payback_years", number_or_null(porting->payback_years)},
                      {"net_present_value", porting->net_present_value},
                      {"affordable_oneoff", porting->affordable},
                      {"affordable_engineer_years", number_or_null(porting->affordable_engineer_years)}};
}

json::object pair_json(const cost::PairOutcome& pair, const cost::Outcome& outcome) {
  const cost::Saving& saving = pair.saving;
  json::object of_saving{{"per_year", saving.value},
                         {"interval", json::array{saving.interval.lower, saving.interval.upper}},
                         {"has_interval", saving.has_interval},
                         {"verdict", text(cost::kVerdictNames[static_cast<std::size_t>(saving.verdict)])},
                         {"whole_nodes_per_year", pair.whole_saving},
                         {"ratio", saving.ratio > 0 ? json::value(saving.ratio) : json::value(nullptr)},
                         {"ratio_needed", number_or_null(saving.ratio_needed)},
                         {"precision_needed", number_or_null(saving.precision_needed)}};
  return {{"first", text(outcome.options[0].name)},
          {"option", text(outcome.options[pair.option].name)},
          {"saving_of_totals_per_year", number_or_null(pair.saving_of_totals)},
          {"saving", std::move(of_saving)},
          {"break_even", break_even_json(pair.break_even)},
          {"porting", porting_json(pair.porting)},
          {"throughput_per_kw_ratio", number_or_null(pair.kw_ratio)},
          {"tornado", bars_json(pair.bars, outcome)}};
}

json::array notes_json(const cost::Outcome& outcome) {
  json::array out;
  for (const cost::Note& each : outcome.notes)
    out.push_back(
        json::object{{"code", text(each.code)}, {"option", text(each.option)}, {"text", text(each.words.english)}});
  return out;
}

json::array missing_json(const cost::Outcome& outcome) {
  json::array out;
  for (const cost::Missing& each : outcome.missing)
    out.push_back(json::object{{"option", each.option.empty() ? json::value(nullptr) : text(each.option)},
                               {"path", text(each.path)},
                               {"unit", text(each.unit)},
                               {"what", text(scoville::text::say_in(scoville::text::Language::english, each.what))}});
  return out;
}

json::array defaults_json(const cost::Outcome& outcome) {
  json::array out;
  for (const cost::DefaultUsed& each : outcome.defaults)
    out.push_back(json::object{{"path", text(each.path)},
                               {"value", each.value},
                               {"unit", text(each.unit)},
                               {"source", text(each.source)},
                               {"date", text(each.date)},
                               {"options", texts(each.options)}});
  return out;
}

json::array unsaid_json(const cost::Outcome& outcome) {
  json::array out;
  for (const cost::Unsaid& each : outcome.unsaid)
    out.push_back(
        json::object{{"path", text(each.path)}, {"counted_as", each.counted_as}, {"options", texts(each.options)}});
  return out;
}

json::value tax_json(const cost::TaxRule& tax) {
  if (!tax.included || !tax.recoverable) return nullptr;
  return json::object{{"prices_hold_it", *tax.included},
                      {"recoverable", *tax.recoverable},
                      {"vat", number_or_null(tax.goods)},
                      {"vat_services", number_or_null(tax.services)}};
}

json::object rates_json(const cost::Outcome& outcome) {
  json::object out;
  for (const auto& [code, rate] : outcome.rates)
    out[code] = json::object{{"value", rate.value}, {"source", text(rate.source)}, {"date", text(rate.date)}};
  return out;
}

}  // namespace

json::object cost_json(const cost::Outcome& outcome) {
  json::array options, pairs;
  for (const cost::OptionOutcome& each : outcome.options) options.push_back(option_json(each, outcome));
  for (const cost::PairOutcome& each : outcome.pairs) pairs.push_back(pair_json(each, outcome));
  const bool is_done = outcome.is_complete();
  return {{"schema", "scoville.cost/1"},
          {"currency", text(outcome.currency)},
          {"tax", tax_json(outcome.tax)},
          {"rates", rates_json(outcome)},
          {"wacc", is_done ? json::value(outcome.wacc) : json::value(nullptr)},
          {"horizon_years", is_done ? json::value(outcome.horizon_years) : json::value(nullptr)},
          {"mtok_out_per_year", is_done ? json::value(outcome.mtok_out) : json::value(nullptr)},
          {"sizing", outcome.sizing == cost::Sizing::whole_nodes ? "whole_nodes" : "fractional"},
          {"options", std::move(options)},
          {"pairs", std::move(pairs)},
          {"defaults", defaults_json(outcome)},
          {"not_said", unsaid_json(outcome)},
          {"missing", missing_json(outcome)},
          {"notes", notes_json(outcome)}};
}

}  // namespace scoville::report
