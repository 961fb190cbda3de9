#include "cost/read_option.hpp"

#include <algorithm>

#include "cost/energy.hpp"
#include "text/catalogue/config.hpp"

namespace scoville::cost {
namespace {

using config::kAboveZero;
using config::kAtLeastZero;
using config::Node;
using text::CostMsg;
using text::say;

bool has_key(const Input& input) { return static_cast<std::size_t>(input.id) < kInputsWithKeys; }

void take(GivenInputs& into, In id, config::Quantity quantity, Origin origin) {
  into[static_cast<std::size_t>(id)] = Given{std::move(quantity), origin};
}

std::optional<config::Quantity> read_input(const Node& map, const Input& input, const Currency& currency) {
  const std::string key(input.key);
  if (input.is_money()) return maybe_amount(map, key, input.range, currency);
  return config::maybe_quantity(map, key, input.range);
}

/// Inputs of that scope that `wanted` takes, from a map that has their sections as maps of their own.
template <class Wanted>
void read_inputs(const Node& map, Scope scope, Origin origin, const Currency& currency, GivenInputs& into,
                 Wanted wanted) {
  for (const Input& each : inputs()) {
    if (each.scope != scope || !has_key(each) || !wanted(each)) continue;
    const Node from = each.section.empty() || scope == Scope::site ? map : map.maybe(std::string(each.section));
    if (from.exists() && !from.is_map()) {
      map.map(std::string(each.section));  // notes what it should be
      return;
    }
    if (auto found = read_input(from, each, currency)) take(into, each.id, std::move(*found), origin);
  }
}

void read_site(const Node& site, Origin origin, const Currency& currency, GivenInputs& into) {
  if (!site.is_map()) return;
  read_inputs(site, Scope::site, origin, currency, into, [](const Input&) { return true; });
  const std::optional<Tariff> tariff = read_tariff(site, currency);
  if (!tariff) return;
  config::Quantity price;
  price.value = tariff->price_kwh;
  price.line = site.maybe("tariff").line();
  take(into, In::price_kwh, price, origin);
  if (tariff->demand_charge) take(into, In::demand_charge_kw_month, *tariff->demand_charge, origin);
}

std::optional<Mix> read_mix(const Node& map) {
  if (!map.is_map()) return std::nullopt;
  return Mix{map.number("in_per_s", kAtLeastZero), map.number("out_per_s", kAtLeastZero)};
}

void read_served(const Node& served, Perf& out) {
  if (!served.is_map()) return;
  constexpr std::array kTimes{365.0, 12.0, 1.0};
  const double times = kTimes[served.choice("per", {"day", "month", "year"})];
  out.served_out = served.number("mtok_out", kAboveZero) * times;
  out.served_in = served.number("mtok_in", kAtLeastZero) * times;
}

Perf read_perf(const Node& perf) {
  Perf out;
  if (!perf.is_map()) return out;
  if (perf.has("from_result")) {
    out.link = PerfLink{perf.text("from_result"), perf.text("point")};
    if (perf.has("out_per_s")) perf.fault("out_per_s", say(CostMsg::perf_twice));
  }
  out.out_per_s = config::maybe_quantity(perf, "out_per_s", kAboveZero).value_or(config::Quantity{});
  if (const auto in = config::maybe_quantity(perf, "in_per_s", kAtLeastZero)) {
    out.in_per_s = *in;
    out.has_in_per_s = true;
  }
  out.cached_share = config::maybe_quantity(perf, "cached_share", config::kShare);
  for (const Node& each : perf.maybe_list("mixes")) {
    if (const auto mix = read_mix(each)) out.mixes.push_back(*mix);
  }
  if (!out.mixes.empty() && !solve_mixes(out.mixes)) perf.fault("mixes", say(CostMsg::bad_mixes));
  if (const Node phases = perf.maybe_map("phase_rates"); phases.is_map())
    out.phase_rates = Mix{phases.number("in_per_s", kAboveZero), phases.number("out_per_s", kAboveZero)};
  out.prefill_share = perf.maybe_number("prefill_share", config::kShare);
  read_served(perf.maybe_map("served"), out);
  return out;
}

/// The public rule of MLPerf Endpoints (draft of v1.0): the sum of a node's TDPs and 30 % for liquid cooling, 50 % for
/// air (energy.hpp).
void read_tdp(const Node& tdp, Option& out) {
  if (!tdp.is_map()) return;
  const double cpu = tdp.number("cpu_w", kAtLeastZero), accelerators = tdp.number("accelerators_w", kAboveZero),
               switches = tdp.number("switch_w", kAtLeastZero);
  const bool is_liquid = tdp.choice("cooling", {"air", "liquid"}) == 1;
  const auto& per_node = out[In::acc_per_node];
  if (!per_node || per_node->quantity.value <= 0 || out[In::kw_prov]) return;
  config::Quantity kw;
  kw.value = provisioned_watts(cpu, accelerators, switches, is_liquid) / 1000 / per_node->quantity.value;
  kw.source = "MLPerf Endpoints v1.0 draft: TDP x 1.30 liquid, x 1.50 air";
  kw.date = "2026-10-02";
  kw.is_default = true;
  out[In::kw_prov] = Given{kw, Origin::derived};
}

void read_network(const Node& node, const Currency& currency, Option& out) {
  for (const Node& each : node.maybe_list("network")) {
    NetworkItem item;
    item.item = each.text("item");
    if (const auto price = maybe_amount(each, "unit_price", kAtLeastZero, currency))
      item.unit_price = price->value;
    else
      each.number("unit_price", kAtLeastZero);  // notes that it is missing
    item.count = each.number("count", kAtLeastZero);
    out.network.push_back(std::move(item));
  }
  out.network_for = node.maybe_number("network_for", kAboveZero);
  if (!out.network.empty() && node.has("price_net_per_acc"))
    node.fault("price_net_per_acc", say(CostMsg::network_twice));
}

/// A card takes no less when it works. Said where one of the two stands: at the option, or at what options share.
void check_power(const Node& map, const GivenInputs& given) {
  const auto& idle = given[static_cast<std::size_t>(In::kw_idle)];
  const auto& busy = given[static_cast<std::size_t>(In::kw_busy)];
  if (!idle || !busy || busy->quantity.value >= idle->quantity.value) return;
  if (map.has("kw_busy"))
    map.fault("kw_busy", say(CostMsg::busy_below_idle, busy->quantity.value, idle->quantity.value));
  else if (map.has("kw_idle"))
    map.fault("kw_idle", say(CostMsg::idle_above_busy, idle->quantity.value, busy->quantity.value));
}

}  // namespace

GivenInputs read_shared(const Node& map, const Currency& currency) {
  GivenInputs out;
  const auto all = [](const Input&) { return true; };
  read_inputs(map, Scope::study, Origin::study, currency, out, all);
  read_site(map.maybe_map("site"), Origin::site, currency, out);
  if (const Node common = map.maybe_map("common"); common.is_map()) {
    read_inputs(common, Scope::option, Origin::common, currency, out, all);
    check_power(common, out);
  }
  return out;
}

Option read_option(const Node& node, const GivenInputs& shared, const Currency& currency) {
  Option out;
  out.line = node.line();
  if (!node.is_map()) {
    node.fault(say(text::ConfigMsg::is_wrong, node.is_scalar() ? node.as_text() : "–", say(text::ConfigMsg::a_map)));
    return out;
  }
  out.given = shared;
  out.name = node.text("name");
  out.device = node.text_or("device", "");
  if (const auto kind = node.maybe_choice("kind", {kKindNames.begin(), kKindNames.end()}))
    out.kind = static_cast<Kind>(*kind);
  read_inputs(node, Scope::option, Origin::option, currency, out.given,
              [&](const Input& input) { return input.serves(out.kind); });
  if (out.kind == Kind::api) return out;
  out.perf = read_perf(node.maybe_map("perf"));
  if (const auto devices = node.maybe_count("devices", 1, 1000000)) out.perf.devices = *devices;
  if (out.kind == Kind::rented) {
    if (const auto billing = node.maybe_choice("billing", {"committed", "on_demand"}))
      out.billing = *billing == 0 ? Billing::committed : Billing::on_demand;
    return out;
  }
  check_power(node, out.given);
  const Node site = node.maybe_map("site");
  read_site(site, Origin::option, currency, out.given);
  out.colo_includes_power = site.maybe_flag("colo_includes_power");
  read_network(node, currency, out);
  read_tdp(node.maybe_map("tdp_node"), out);
  return out;
}

}  // namespace scoville::cost
