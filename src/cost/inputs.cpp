#include "cost/inputs.hpp"

#include "base/check.hpp"

namespace scoville::cost {
namespace {

using config::kAboveZero;
using config::kAny;
using config::kAtLeastZero;
using config::kShare;
using text::CostMsg;

constexpr unsigned kOwned = 1, kRented = 2, kApi = 4, kFleet = kOwned | kRented, kAll = 7;
constexpr config::Range kPositiveShare{0, 1, true};
constexpr config::Range kPartShare{0, 0.999};

constexpr auto study = Scope::study, site = Scope::site, option = Scope::option;
constexpr auto required = Need::required, defaulted = Need::defaulted, nothing = Need::nothing,
               optional = Need::optional;
constexpr auto none = Tax::none, goods = Tax::goods, services = Tax::services;

// In the order of In.
constexpr std::array<Input, kInputs> kTable{{
    {In::wacc, "", "wacc", "share/year", study, defaulted, kPartShare, kAll, none, 0, CostMsg::in_wacc},
    {In::horizon_years, "", "horizon_years", "years", study, defaulted, {0.5, 50}, kAll, none, 0, CostMsg::in_horizon},
    {In::pue, "site", "pue", "ratio", site, defaulted, {1, 5}, kOwned, none, 0, CostMsg::in_pue},
    {In::price_kwh, "site", "price_kwh", "money/kWh", site, defaulted, kAtLeastZero, kOwned, goods, 0,
     CostMsg::in_price_kwh},
    {In::colo_kw_month, "site", "colo_kw_month", "money/kW/month", site, defaulted, kAtLeastZero, kOwned, services, 0,
     CostMsg::in_colo},
    {In::demand_charge_kw_month, "site", "demand_charge_kw_month", "money/kW/month", site, nothing, kAtLeastZero,
     kOwned, goods, 0, CostMsg::in_demand_charge},
    {In::rack_kw_limit, "site", "rack_kw_limit", "kW", site, optional, kAboveZero, kOwned, none, 0,
     CostMsg::in_rack_limit},
    {In::power_kw_limit, "site", "power_kw_limit", "kW", site, optional, kAboveZero, kOwned, none, 0,
     CostMsg::in_power_limit},
    {In::accelerators, "", "accelerators", "count", option, optional, kAboveZero, kFleet, none, 0,
     CostMsg::in_accelerators},
    {In::acc_per_node, "", "acc_per_node", "count", option, required, kAboveZero, kFleet, none, 1,
     CostMsg::in_acc_per_node},
    {In::redundant_nodes, "", "redundant_nodes", "count", option, nothing, kAtLeastZero, kFleet, none, 0,
     CostMsg::in_redundant},
    {In::spare_frac, "", "spare_frac", "share", option, nothing, kShare, kOwned, none, 0, CostMsg::in_spare},
    {In::price_acc, "", "price_acc", "money", option, required, kAtLeastZero, kOwned, goods, 0, CostMsg::in_price_acc},
    {In::price_node_rest, "", "price_node_rest", "money", option, nothing, kAtLeastZero, kOwned, goods, 0,
     CostMsg::in_node_rest},
    {In::price_net_per_acc, "", "price_net_per_acc", "money", option, nothing, kAtLeastZero, kOwned, goods, 0,
     CostMsg::in_net},
    {In::install_frac, "", "install_frac", "share", option, nothing, kShare, kOwned, none, 0, CostMsg::in_install},
    {In::facility_oneoff, "", "facility_oneoff", "money", option, nothing, kAtLeastZero, kOwned, goods, 0,
     CostMsg::in_facility},
    {In::residual_frac, "", "residual_frac", "share", option, nothing, kShare, kOwned, none, 0, CostMsg::in_residual},
    {In::kw_prov, "", "kw_prov", "kW", option, required, kAboveZero, kOwned, none, 0, CostMsg::in_kw_prov},
    {In::kw_idle, "", "kw_idle", "kW", option, required, kAtLeastZero, kOwned, none, 0, CostMsg::in_kw_idle},
    {In::kw_busy, "", "kw_busy", "kW", option, required, kAtLeastZero, kOwned, none, 0, CostMsg::in_kw_busy},
    {In::support_frac, "", "support_frac", "share/year", option, nothing, kShare, kOwned, none, 0, CostMsg::in_support},
    {In::afr, "", "afr", "1/year", option, defaulted, {0, 100}, kOwned, none, 0, CostMsg::in_afr},
    {In::rma_cost_frac, "", "rma_cost_frac", "share", option, nothing, kShare, kOwned, none, 0, CostMsg::in_rma},
    {In::mttr_h, "", "mttr_h", "hours", option, nothing, {0, 8760}, kOwned, none, 0, CostMsg::in_mttr},
    {In::planned_down, "", "planned_down", "share", option, nothing, kPartShare, kFleet, none, 0,
     CostMsg::in_planned_down},
    {In::spare_lead_weeks, "", "spare_lead_weeks", "weeks", option, optional, kAtLeastZero, kOwned, none, 0,
     CostMsg::in_lead},
    {In::spare_service_level,
     "",
     "spare_service_level",
     "share",
     option,
     defaulted,
     {0.5, 0.9999},
     kOwned,
     none,
     0,
     CostMsg::in_service_level},
    {In::fte_ops, "", "fte_ops", "people", option, nothing, kAtLeastZero, kAll, none, 0, CostMsg::in_fte},
    {In::fte_cost, "", "fte_cost", "money/year", option, optional, kAtLeastZero, kAll, none, 0, CostMsg::in_fte_cost},
    {In::net_opex_year, "", "net_opex_year", "money/year", option, nothing, kAtLeastZero, kAll, services, 0,
     CostMsg::in_net_opex},
    {In::licence_acc_year, "", "licence_acc_year", "money/year", option, defaulted, kAtLeastZero, kFleet, services, 0,
     CostMsg::in_licence},
    {In::storage_tb, "", "storage_tb", "TB", option, nothing, kAtLeastZero, kFleet, none, 0, CostMsg::in_storage},
    {In::price_tb_month, "", "price_tb_month", "money/TB/month", option, optional, kAtLeastZero, kFleet, services, 0,
     CostMsg::in_price_tb},
    {In::port_engineers, "port", "engineers", "people", option, nothing, kAtLeastZero, kAll, none, 0,
     CostMsg::in_engineers},
    {In::port_years, "port", "years", "years", option, optional, kAtLeastZero, kAll, none, 0, CostMsg::in_port_years},
    {In::port_eng_cost, "port", "eng_cost", "money/year", option, optional, kAtLeastZero, kAll, none, 0,
     CostMsg::in_eng_cost},
    {In::port_extra, "port", "extra", "money", option, nothing, kAtLeastZero, kAll, none, 0, CostMsg::in_port_extra},
    {In::port_upkeep_year, "port", "upkeep_year", "money/year", option, nothing, kAtLeastZero, kAll, none, 0,
     CostMsg::in_upkeep},
    {In::delay_months, "", "delay_months", "months", option, nothing, {0, 120}, kFleet, none, 0, CostMsg::in_delay},
    {In::delay_equiv, "", "delay_equiv", "ratio", option, optional, kAtLeastZero, kFleet, none, 1,
     CostMsg::in_delay_equiv},
    {In::bridge_premium, "", "bridge_premium", "money/hour", option, optional, kAny, kFleet, none, 0,
     CostMsg::in_bridge},
    {In::util, "", "util", "share", option, required, kPositiveShare, kFleet, none, 0, CostMsg::in_util},
    {In::good_frac, "", "good_frac", "share", option, nothing, kPositiveShare, kFleet, none, 1, CostMsg::in_good},
    {In::price_acc_hour, "", "price_acc_hour", "money/hour", option, required, kAtLeastZero, kRented, services, 0,
     CostMsg::in_price_hour},
    {In::billed_share, "", "billed_share", "share", option, optional, kShare, kRented, none, 1, CostMsg::in_billed},
    {In::min_term_months, "", "min_term_months", "months", option, optional, kAtLeastZero, kRented, none, 0,
     CostMsg::in_term},
    {In::price_in_mtok, "", "price_in_mtok", "money/Mtok", option, required, kAtLeastZero, kApi, services, 0,
     CostMsg::in_price_in},
    {In::price_cached_mtok, "", "price_cached_mtok", "money/Mtok", option, optional, kAtLeastZero, kApi, services, 0,
     CostMsg::in_price_cached},
    {In::price_out_mtok, "", "price_out_mtok", "money/Mtok", option, required, kAtLeastZero, kApi, services, 0,
     CostMsg::in_price_out},
    {In::checkpoint_s, "training", "checkpoint_s", "seconds", option, optional, kAboveZero, kFleet, none, 0,
     CostMsg::in_checkpoint},
    {In::restart_s, "training", "restart_s", "seconds", option, optional, kAtLeastZero, kFleet, none, 0,
     CostMsg::in_restart},
    {In::out_per_s, "perf", "out_per_s", "tokens/s", option, required, kAboveZero, kFleet, none, 0,
     CostMsg::in_out_rate},
    {In::in_per_s, "perf", "in_per_s", "tokens/s", option, required, kAtLeastZero, kFleet, none, 0,
     CostMsg::in_in_rate},
    {In::cached_share, "perf", "cached_share", "share", option, optional, kShare, kAll, none, 0, CostMsg::in_cached},
    {In::perf_scale, "perf", "out_per_s", "ratio", option, optional, kAboveZero, kFleet, none, 1,
     CostMsg::in_perf_scale},
}};

}  // namespace

std::span<const Input> inputs() { return kTable; }

const Input& input_of(In id) {
  const Input& found = kTable[static_cast<std::size_t>(id)];
  SCOVILLE_CHECK(found.id == id, "the table of inputs stands in the order of In");
  return found;
}

std::string path_of(const Input& input) {
  return input.section.empty() ? std::string(input.key) : std::string(input.section) + "." + std::string(input.key);
}

}  // namespace scoville::cost
