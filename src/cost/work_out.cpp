#include <algorithm>
#include <cmath>

#include "cost/energy.hpp"
#include "cost/notes.hpp"
#include "cost/outcome.hpp"
#include "cost/resolve.hpp"

namespace scoville::cost {
namespace {

using text::CostMsg;
using text::say;

constexpr double kSame = 1e-9;  // of sums that differ by rounding alone

bool is_api(const OptionOutcome& option) { return option.kind == Kind::api; }

/// The price list that M4 divides by: the one that was stated, else that of the first API option.
std::optional<PriceList> price_list(const Study& study, const Model& model) {
  if (study.attribution_prices) return study.attribution_prices;
  for (const Plant& each : model.plants) {
    if (each.kind == Kind::api && each[In::price_out_mtok] > 0)
      return PriceList{each[In::price_in_mtok], each[In::price_out_mtok], each[In::price_cached_mtok]};
  }
  return std::nullopt;
}

std::vector<std::pair<Method, UnitCosts>> all_methods(double money, const Volumes& volumes,
                                                      const AttributionInputs& by) {
  std::vector<std::pair<Method, UnitCosts>> out;
  for (std::size_t i = 0; i < kMethodNames.size(); ++i) {
    const auto method = static_cast<Method>(i);
    if (const auto costs = unit_costs(method, money, volumes, by)) out.emplace_back(method, *costs);
  }
  return out;
}

const UnitCosts* find(const OptionOutcome& option, Method method) {
  for (const auto& [each, costs] : option.methods) {
    if (each == method) return &costs;
  }
  return nullptr;
}

/// One method for all fleets, so that they can be compared: the one asked for, else the first that all can be told by.
Method method_for(const Study& study, std::vector<OptionOutcome>& options, Outcome& outcome) {
  const auto can = [&](Method method) {
    return std::all_of(options.begin(), options.end(),
                       [&](const OptionOutcome& each) { return is_api(each) || find(each, method); });
  };
  if (study.attribution) {
    if (!can(*study.attribution)) {
      const bool is_time = *study.attribution == Method::accelerator_time;
      for (const OptionOutcome& each : options) {
        if (is_api(each) || find(each, *study.attribution)) continue;
        outcome.missing.push_back({is_time ? each.name : "", is_time ? "perf.mixes" : "attribution_prices", "",
                                   is_time ? CostMsg::in_mixes : CostMsg::in_attribution_prices});
        if (!is_time) break;
      }
    }
    return *study.attribution;
  }
  for (const Method each : {Method::accelerator_time, Method::price_weighted}) {
    if (can(each)) return each;
  }
  return Method::blended;
}

/// An API's tokens cost what its list says, and their part of what comes on top.
UnitCosts api_costs(const OptionOutcome& option) {
  UnitCosts out;
  const double all = option.volumes.in + option.volumes.out, bought = option.annual[Part::tokens];
  if (all > 0) out.blended = option.annual.total() / all;
  if (bought <= 0) return out;
  const double more = option.annual.total() / bought;
  out.in = option.plant[In::price_in_mtok] * more;
  out.out = option.plant[In::price_out_mtok] * more;
  if (option.volumes.cached > 0) out.cached = option.plant[In::price_cached_mtok] * more;
  return out;
}

void add_fleet_figures(OptionOutcome& out) {
  const double hours = out.fleet.installed * kYearHours;
  out.per_acc_hour = out.annual.total() / hours;
  out.hourly_rule = hourly_rule(*out.per_acc_hour, out.plant.out_rate() + out.plant.in_rate());
  if (out.kind == Kind::owned) {
    out.rack = rack_check(out.plant, out.fleet);
    out.spares = spare_check(out.plant, out.fleet);
  }
  if (out.plant[In::checkpoint_s] <= 0 || out.plant[In::afr] <= 0) return;
  out.training = training_goodput({mean_time_between(out.fleet.serving, out.plant[In::afr]),
                                   out.plant[In::checkpoint_s], out.plant[In::restart_s]});
  out.per_useful_acc_hour =
      out.annual.total() / (out.fleet.serving * kYearHours * out.plant[In::util] * out.training->ratio_daly);
}

OptionOutcome option_outcome(const Study& study, const Resolved& resolved, std::size_t i, bool has_demand) {
  const Model& model = resolved.model;
  OptionOutcome out;
  out.name = study.options[i].name;
  out.kind = study.options[i].kind;
  out.billing = study.options[i].billing;
  out.perf = study.options[i].perf;
  out.plant = model.plants[i];
  out.fleet = model.fleet(i);
  out.volumes = model.served(i, has_demand);
  out.annual = model.annual(i);
  AttributionInputs by{std::nullopt, price_list(study, model)};
  if (!is_api(out)) {
    out.tokens = tokens_of(out.plant);
    by.input_time_share = input_time_share(out.perf, out.plant.in_rate(), out.plant.out_rate());
    out.input_time_share = by.input_time_share;
    add_fleet_figures(out);
  }
  out.methods = all_methods(out.annual.total(), out.volumes, by);
  return out;
}

/// The figure for output tokens, its interval and its bars: all methods move in one proportion.
void add_sensitivity(const Resolved& resolved, std::size_t i, OptionOutcome& out) {
  const Model& model = resolved.model;
  if (!out.unit.out) return;
  const double scale = *out.unit.out / cost_figure(model, i);
  out.bars = tornado(model, i, resolved.levers, cost_figure);
  for (Bar& each : out.bars) {
    each.at_low *= scale;
    each.at_high *= scale;
  }
  const ScaleRange& range = resolved.ranges[i];
  if (is_api(out) || !range.is_known) return;
  const Lever lever{In::perf_scale, {i}, false, 1, range.low, range.high};
  const auto ends = along(model, i, lever, {range.high, range.low}, cost_figure);
  out.out_interval = stats::Interval{ends[0] * scale, ends[1] * scale};
}

/// The bills as they are, one minus the other; not where they are for different volumes.
void hold_totals(const Model& model, const OptionOutcome& first, const OptionOutcome& own, PairOutcome& out) {
  if (std::abs(first.volumes.out - own.volumes.out) <= kSame * model.mtok_out)
    out.saving_of_totals = first.annual.total() - own.annual.total();
  const double rounding = kSame * (first.annual.total() + own.annual.total());
  out.is_of_other_fleets = !out.saving_of_totals || std::abs(*out.saving_of_totals - out.saving.value) > rounding;
  const auto is_stated = [&](std::size_t k) { return model.plants[k].kind == Kind::api || model.stated[k]; };
  out.has_stated_fleets = is_stated(0) && is_stated(out.option);
}

PairOutcome pair_outcome(const Resolved& resolved, std::size_t i, const std::vector<OptionOutcome>& options) {
  const Model& model = resolved.model;
  PairOutcome out;
  out.option = i;
  out.break_even = break_even(model, i);
  out.saving = saving_of(model, i, resolved.ranges);
  hold_totals(model, options[0], options[i], out);
  out.whole_saving = model.whole_cost(0, model.mtok_out) - model.whole_cost(i, model.mtok_out);
  const PortingCase porting = porting_case(model, i);
  if (porting.oneoff > 0) out.porting = porting;
  if (options[0].rack && options[i].rack)
    out.kw_ratio = options[i].rack->out_per_s_per_kw / options[0].rack->out_per_s_per_kw;
  out.bars = tornado(model, i, resolved.levers, saving_figure);
  return out;
}

Status is_sound(const Outcome& outcome) {
  for (const OptionOutcome& each : outcome.options) {
    if (!std::isfinite(each.annual.total()) || !(each.volumes.out > 0))
      return Error{ErrorCode::invalid_argument, say(CostMsg::no_tokens, each.name)};
  }
  return Done{};
}

}  // namespace

double Outcome::needed(std::size_t option) const {
  return options[option].kind == Kind::api ? 0 : mtok_out / options[option].tokens.mtok_out;
}

Result<Outcome> work_out(const Study& study) {
  Outcome out;
  out.currency = study.currency.code;
  out.tax = study.tax;
  out.rates.assign(study.currency.rates.begin(), study.currency.rates.end());
  out.sizing = study.sizing;
  if (study.options.empty()) return Error{ErrorCode::invalid_argument, say(CostMsg::no_options)};
  const Resolved resolved = resolve(study, out);
  if (!out.is_complete()) return out;
  out.mtok_out = resolved.model.mtok_out;
  out.wacc = resolved.model.plants[0][In::wacc];
  out.horizon_years = resolved.model.plants[0][In::horizon_years];
  for (std::size_t i = 0; i < study.options.size(); ++i)
    out.options.push_back(option_outcome(study, resolved, i, out.has_demand));
  const Method method = method_for(study, out.options, out);
  if (!out.is_complete()) return out;
  if (Status sound = is_sound(out); !sound) return sound.error();
  for (std::size_t i = 0; i < out.options.size(); ++i) {
    OptionOutcome& each = out.options[i];
    if (!is_api(each)) each.used = method;
    each.unit = is_api(each) ? api_costs(each) : *find(each, method);
    add_sensitivity(resolved, i, each);
  }
  for (std::size_t i = 1; i < out.options.size(); ++i) out.pairs.push_back(pair_outcome(resolved, i, out.options));
  add_notes(study, out);
  return out;
}

}  // namespace scoville::cost
