#include "cost/annual.hpp"

#include <cmath>
#include <numeric>

namespace scoville::cost {
namespace {

void add_capital(const Plant& p, const Fleet& fleet, double recovery, Annual& out) {
  out.capex_acc = fleet.bought * p[In::price_acc];
  out.capex_node = fleet.nodes * p[In::price_node_rest];
  out.capex_net = fleet.installed * p[In::price_net_per_acc];
  out.capex_hw = out.capex_acc + out.capex_node + out.capex_net;
  out.capex_install = out.capex_hw * p[In::install_frac];
  out.capex_total = out.capex_hw + out.capex_install + p[In::facility_oneoff];
  out.residual = p[In::residual_frac] * (out.capex_acc + out.capex_node);
  out.residual_now = out.residual / std::pow(1 + p[In::wacc], p[In::horizon_years]);
  out[Part::capital] = (out.capex_total - out.residual_now) * recovery;
}

/// Redundant nodes take idle power; the work, and the power of it, is that of those which serve.
void add_power(const Plant& p, const Fleet& fleet, Annual& out) {
  out.kw_prov = fleet.installed * p[In::kw_prov];
  out.kw_avg = fleet.installed * p[In::kw_idle] + fleet.serving * (p[In::kw_busy] - p[In::kw_idle]) * p[In::util];
  out.kwh_it = out.kw_avg * kYearHours;
  out.kwh_facility = out.kwh_it * p[In::pue];
  out[Part::space] = out.kw_prov * p[In::colo_kw_month] * 12;
  if (p.colo_includes_power) return;
  out[Part::electricity] = out.kwh_facility * p[In::price_kwh];
  out[Part::demand_charge] = out.kw_prov * p[In::pue] * p[In::demand_charge_kw_month] * 12;
}

void add_rent(const Plant& p, const Fleet& fleet, Annual& out) {
  double billed = 1;
  if (p.billing == Billing::on_demand) billed = p.billed_follows ? p[In::util] : p[In::billed_share];
  out[Part::rent] = fleet.installed * kYearHours * billed * p[In::price_acc_hour];
}

/// What every option may have: people, operations, porting.
void add_common(const Plant& p, double recovery, Annual& out) {
  out[Part::staff] = p[In::fte_ops] * p[In::fte_cost];
  out[Part::operations] = p[In::net_opex_year];
  out.port_oneoff = p[In::port_engineers] * p[In::port_years] * p[In::port_eng_cost] + p[In::port_extra];
  out[Part::porting] = out.port_oneoff * recovery;
  out[Part::upkeep] = p[In::port_upkeep_year];
}

void add_delay(const Plant& p, const Fleet& fleet, double recovery, double first_rate, Annual& out) {
  double equivalent = p[In::delay_equiv];
  if (p.delay_follows) equivalent = first_rate > 0 ? p.out_rate() / first_rate : 1;
  out.delay_oneoff = fleet.serving * equivalent * p[In::delay_months] * kMonthHours * p[In::bridge_premium];
  out[Part::delay] = out.delay_oneoff * recovery;
}

}  // namespace

double Annual::total() const { return std::accumulate(parts.begin(), parts.end(), 0.0); }

double annuity(double wacc, double years) {
  if (wacc == 0) return 1 / years;
  return wacc / -std::expm1(-years * std::log1p(wacc));
}

Annual annual_of_fleet(const Plant& p, const Fleet& fleet, double first_rate) {
  Annual out;
  const double recovery = annuity(p[In::wacc], p[In::horizon_years]);
  if (p.kind == Kind::owned) {
    add_capital(p, fleet, recovery, out);
    add_power(p, fleet, out);
    out[Part::support] = p[In::support_frac] * out.capex_hw;
    out.failures = fleet.installed * p[In::afr];
    out[Part::failures] = out.failures * p[In::rma_cost_frac] * p[In::price_acc];
  } else {
    add_rent(p, fleet, out);
  }
  add_common(p, recovery, out);
  add_delay(p, fleet, recovery, first_rate, out);
  out[Part::licence] = fleet.installed * p[In::licence_acc_year];
  out[Part::storage] = p[In::storage_tb] * p[In::price_tb_month] * 12;
  return out;
}

Annual annual_of_tokens(const Plant& p, const Volumes& volumes) {
  Annual out;
  add_common(p, annuity(p[In::wacc], p[In::horizon_years]), out);
  out[Part::tokens] = volumes.out * p[In::price_out_mtok] + (volumes.in - volumes.cached) * p[In::price_in_mtok] +
                      volumes.cached * p[In::price_cached_mtok];
  return out;
}

}  // namespace scoville::cost
