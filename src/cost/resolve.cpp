#include "cost/resolve.hpp"

#include <algorithm>
#include <cmath>

#include "cost/defaults.hpp"

namespace scoville::cost {
namespace {

using text::CostMsg;
using text::phrase;

/// Fills the plant of one option.
class Resolver {
 public:
  Resolver(const Study& study, const Option& option, Outcome& outcome)
      : study_(study), option_(option), outcome_(outcome) {}

  Plant plant() {
    plant_.kind = option_.kind;
    plant_.billing = option_.billing;
    plant_.colo_includes_power = option_.kind == Kind::owned && option_.colo_includes_power.value_or(false);
    plant_.is_served_volume = option_.perf.served_out.has_value();
    plant_.delay_follows = !option_[In::delay_equiv];
    plant_.billed_follows = !option_[In::billed_share];
    for (const Input& each : inputs()) {
      plant_[each.id] = each.neutral;
      if (!each.serves(option_.kind) || static_cast<std::size_t>(each.id) >= kInputsWithKeys) continue;
      if (each.id != In::accelerators) fill(each);
    }
    ask_for_companions();
    if (option_.kind != Kind::api) fill_perf();
    return plant_;
  }

 private:
  void ask(const Input& input) { ask(input, path_of(input), input.meaning); }
  void ask(In id) { ask(input_of(id)); }
  /// Once for all options where the key stands above them.
  void ask(const Input& input, const std::string& path, CostMsg what) {
    const std::string whose = input.scope == Scope::option ? option_.name : "";
    for (const Missing& each : outcome_.missing) {
      if (each.option == whose && each.path == path) return;
    }
    outcome_.missing.push_back({whose, path, std::string(input.unit), what});
  }

  bool is_needless(In id) const {
    const bool has_metered_power = option_.kind == Kind::owned && !plant_.colo_includes_power;
    switch (id) {
      case In::acc_per_node:
        return option_.kind == Kind::rented;
      case In::price_kwh:
      case In::pue:
      case In::demand_charge_kw_month:
      case In::kw_idle:
      case In::kw_busy:
        return !has_metered_power;
      case In::util:
        return plant_.is_served_volume && !has_metered_power && option_.billing == Billing::committed;
      case In::spare_service_level:
        return !option_[In::spare_lead_weeks];
      case In::good_frac:
      case In::planned_down:
      case In::mttr_h:
        return plant_.is_served_volume;
      case In::price_cached_mtok:
      case In::billed_share:
      case In::delay_equiv:
        return true;
      default:
        return false;
    }
  }

  void fill(const Input& input) {
    if (const auto& given = option_[input.id]) {
      if (std::isnan(given->quantity.value)) return ask(input, "site.tariff", CostMsg::in_tariff);
      return put(input, given->quantity, input.tax);
    }
    if (input.id == In::price_net_per_acc && !option_.network.empty()) return fill_network(input);
    if (is_needless(input.id)) return;
    if (input.id == In::util && study_.demand.peak_to_mean) {
      plant_[In::util] = 1 / *study_.demand.peak_to_mean;
      return;
    }
    if (input.need == Need::required || input.need == Need::defaulted) return fill_default(input);
    if (input.need == Need::nothing) note_unsaid(input);
  }

  void put(const Input& input, const config::Quantity& quantity, Tax tax) {
    plant_[input.id] = quantity.value * factor(tax);
    if (quantity.is_default) note_default(input, quantity, quantity.value);
  }

  double factor(Tax tax) const { return tax_factor(study_.tax, tax).value_or(1); }

  void fill_network(const Input& input) {
    double sum = 0;
    for (const NetworkItem& each : option_.network) sum += each.unit_price * each.count;
    std::optional<double> for_accelerators = option_.network_for;
    if (!for_accelerators && option_[In::accelerators]) for_accelerators = option_[In::accelerators]->quantity.value;
    if (for_accelerators)
      plant_[input.id] = sum / *for_accelerators * factor(input.tax);
    else
      outcome_.missing.push_back({option_.name, "network_for", "count", CostMsg::in_network_for});
  }

  void fill_default(const Input& input) {
    const auto found = default_of(input, option_.device);
    const std::optional<double> worth = input.is_money() ? study_.currency.worth(kDefaultsCurrency) : 1;
    if (!found || (!worth && found->value != 0)) return ask(input);
    plant_[input.id] = found->value * worth.value_or(1);
    note_default(input, *found, plant_[input.id]);
  }

  void note_default(const Input& input, const config::Quantity& from, double value) {
    for (DefaultUsed& each : outcome_.defaults) {
      if (each.path != path_of(input) || each.value != value) continue;
      each.options.push_back(option_.name);
      return;
    }
    outcome_.defaults.push_back(
        {path_of(input), std::string(input.unit), value, from.source, from.date, {option_.name}});
  }

  void note_unsaid(const Input& input) {
    for (Unsaid& each : outcome_.unsaid) {
      if (each.path != path_of(input)) continue;
      each.options.push_back(option_.name);
      return;
    }
    outcome_.unsaid.push_back({path_of(input), input.neutral, {option_.name}});
  }

  /// What a stated number is nothing without.
  void ask_for_companions() {
    const auto needs = [&](In one, std::initializer_list<In> others) {
      if (plant_[one] <= 0) return;
      for (const In each : others) {
        if (!option_[each]) ask(each);
      }
    };
    needs(In::fte_ops, {In::fte_cost});
    needs(In::storage_tb, {In::price_tb_month});
    needs(In::port_engineers, {In::port_years, In::port_eng_cost});
    needs(In::delay_months, {In::bridge_premium});
    needs(In::checkpoint_s, {In::restart_s});
  }

  void fill_perf() {
    const Perf& perf = option_.perf;
    if (perf.cached_share)
      plant_[In::cached_share] = perf.cached_share->value;
    else
      plant_[In::cached_share] = study_.demand.cached_share.value_or(0);
    if (perf.served_out) return fill_served();
    if (perf.out_per_s.value > 0)
      plant_[In::out_per_s] = perf.out_per_s.value;
    else if (perf.runs > 0)
      return outcome_.missing.push_back({option_.name, "devices", "count", CostMsg::in_devices});
    else
      ask(In::out_per_s);
    if (perf.has_in_per_s)
      plant_[In::in_per_s] = perf.in_per_s.value;
    else if (study_.demand.in_out_ratio)
      plant_[In::in_per_s] = plant_[In::out_per_s] * *study_.demand.in_out_ratio;
    else
      ask(In::in_per_s);
  }

  void fill_served() {
    const auto& accelerators = option_[In::accelerators];
    if (!accelerators) return ask(In::accelerators);
    const double per_mtok = 1e6 / kYearSeconds / accelerators->quantity.value;
    plant_[In::out_per_s] = *option_.perf.served_out * per_mtok;
    plant_[In::in_per_s] = *option_.perf.served_in * per_mtok;
  }

  const Study& study_;
  const Option& option_;
  Outcome& outcome_;
  Plant plant_;
};

/// In China a price is nothing without its tax.
void ask_for_tax(const Study& study, Outcome& outcome) {
  const TaxRule& tax = study.tax;
  const bool is_begun = tax.included || tax.goods || tax.services || tax.recoverable;
  if (!is_begun && study.currency.code != "CNY") {
    outcome.unsaid.push_back({"tax.included", 0, {}});
    return;
  }
  const auto ask = [&](const char* path, CostMsg what) { outcome.missing.push_back({"", path, "", what}); };
  if (!tax.included) ask("tax.included", CostMsg::in_tax_included);
  if (!tax.recoverable) ask("tax.recoverable", CostMsg::in_tax_recoverable);
  if (!tax.goods && (!tax.included || !tax.recoverable || *tax.included == *tax.recoverable))
    ask("tax.vat", CostMsg::in_vat);
}

/// Input tokens for each of output, and the cached share, of an option that buys tokens: the study's, or those of the
/// first option that was measured.
void fill_mix(const Study& study, Model& model, Outcome& outcome) {
  const auto measured = std::find_if(model.plants.begin(), model.plants.end(),
                                     [](const Plant& p) { return p.kind != Kind::api && p[In::out_per_s] > 0; });
  const bool is_known = study.demand.in_out_ratio || measured != model.plants.end();
  model.in_out_ratio = study.demand.in_out_ratio.value_or(
      measured != model.plants.end() ? (*measured)[In::in_per_s] / (*measured)[In::out_per_s] : 0);
  const double cached =
      study.demand.cached_share.value_or(measured != model.plants.end() ? (*measured)[In::cached_share] : 0);
  bool has_api = false;
  for (std::size_t i = 0; i < model.plants.size(); ++i) {
    Plant& plant = model.plants[i];
    if (plant.kind != Kind::api) continue;
    has_api = true;
    plant[In::cached_share] = cached;
    if (!study.options[i][In::price_cached_mtok]) plant[In::price_cached_mtok] = plant[In::price_in_mtok];
  }
  if (has_api && !is_known) outcome.missing.push_back({"", "demand.in_out_ratio", "ratio", CostMsg::in_ratio});
}

void fill_demand(const Study& study, Model& model, Outcome& outcome) {
  outcome.has_demand = study.demand.mtok_out_per_year || study.demand.accelerators;
  const auto capacity = [&](std::size_t i, double accelerators) {
    return accelerators * tokens_of(model.plants[i]).mtok_out;
  };
  if (study.demand.mtok_out_per_year) {
    model.mtok_out = *study.demand.mtok_out_per_year;
  } else if (study.demand.accelerators && model.plants[0].kind != Kind::api) {
    model.mtok_out = capacity(0, *study.demand.accelerators);
  } else {
    for (std::size_t i = 0; i < model.plants.size() && model.mtok_out <= 0; ++i) {
      if (model.stated[i]) model.mtok_out = capacity(i, *model.stated[i]);
    }
    const bool says_none =
        std::none_of(model.stated.begin(), model.stated.end(), [](const auto& n) { return n.has_value(); });
    if (says_none) outcome.missing.push_back({"", "demand.mtok_out_per_year", "Mtok/year", CostMsg::in_demand});
  }
}

bool is_wanted(const Study& study, const Input& input) {
  if (study.tornado_keys.empty()) return true;
  return std::any_of(study.tornado_keys.begin(), study.tornado_keys.end(), [&](const std::string& key) {
    return key == input.key || key == path_of(input) || (input.id == In::perf_scale && key == "perf");
  });
}

ScaleRange range_of(const Perf& perf) {
  ScaleRange out;
  const auto widen = [&](const config::Quantity& quantity) {
    if (quantity.value <= 0 || !quantity.is_uncertain()) return;
    out.is_known = true;
    out.low = std::min(out.low, quantity.low.value_or(quantity.value) / quantity.value);
    out.high = std::max(out.high, quantity.high.value_or(quantity.value) / quantity.value);
  };
  widen(perf.out_per_s);
  widen(perf.in_per_s);
  return out;
}

/// The stated or default quantity of an input and what turns its ends into the study's currency, tax applied.
struct Ranged {
  config::Quantity quantity;
  double factor = 1;
  bool is_shared = false;
};

std::optional<Ranged> ranged(const Study& study, const Option& option, const Input& input) {
  if (const auto& given = option[input.id]) {
    const bool is_own = given->origin == Origin::option || given->origin == Origin::derived;
    return Ranged{given->quantity, tax_factor(study.tax, input.tax).value_or(1), !is_own};
  }
  if (input.need != Need::defaulted) return std::nullopt;
  const auto found = default_of(input, option.device);
  if (!found) return std::nullopt;
  return Ranged{*found, input.is_money() ? study.currency.worth(kDefaultsCurrency).value_or(1) : 1, true};
}

void add_levers(const Study& study, const Input& input, const Model& model, std::vector<Lever>& out) {
  std::size_t shared = out.size();  // the lever of those who share the value, once it is there
  bool has_shared = false;
  for (std::size_t i = 0; i < study.options.size(); ++i) {
    if (!input.serves(study.options[i].kind)) continue;
    const auto found = ranged(study, study.options[i], input);
    if (!found || !found->quantity.is_uncertain()) continue;
    if (found->is_shared && has_shared) {
      out[shared].options.push_back(i);
      continue;
    }
    if (found->is_shared) {
      shared = out.size();
      has_shared = true;
    }
    const double base = model.plants[i][input.id];
    const auto end = [&](const std::optional<double>& of) { return of ? *of * found->factor : base; };
    out.push_back({input.id, {i}, found->is_shared, base, end(found->quantity.low), end(found->quantity.high)});
  }
}

std::vector<Lever> levers_of(const Study& study, const Model& model, const std::vector<ScaleRange>& ranges) {
  std::vector<Lever> out;
  if (!study.has_tornado) return out;
  for (const Input& each : inputs()) {
    const bool has_key = static_cast<std::size_t>(each.id) < kInputsWithKeys;
    if (has_key && each.id != In::accelerators && is_wanted(study, each)) add_levers(study, each, model, out);
  }
  if (!is_wanted(study, input_of(In::perf_scale))) return out;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    if (ranges[i].is_known && model.plants[i].kind != Kind::api)
      out.push_back({In::perf_scale, {i}, false, 1, ranges[i].low, ranges[i].high});
  }
  return out;
}

}  // namespace

std::optional<double> tax_factor(const TaxRule& rule, Tax tax) {
  if (tax == Tax::none || !rule.included || !rule.recoverable || *rule.included != *rule.recoverable) return 1;
  std::optional<double> rate = rule.goods;
  if (tax == Tax::services && rule.services) rate = rule.services;
  if (!rate) return std::nullopt;
  return *rule.included ? 1 / (1 + *rate) : 1 + *rate;
}

Resolved resolve(const Study& study, Outcome& outcome) {
  Resolved out;
  out.model.sizing = study.sizing;
  ask_for_tax(study, outcome);
  for (const Option& each : study.options) {
    out.model.plants.push_back(Resolver(study, each, outcome).plant());
    const auto& stated = each[In::accelerators];
    out.model.stated.push_back(stated && each.kind != Kind::api ? std::optional(stated->quantity.value) : std::nullopt);
    out.ranges.push_back(range_of(each.perf));
  }
  fill_mix(study, out.model, outcome);
  fill_demand(study, out.model, outcome);
  if (!outcome.missing.empty()) return out;
  out.levers = levers_of(study, out.model, out.ranges);
  return out;
}

}  // namespace scoville::cost
