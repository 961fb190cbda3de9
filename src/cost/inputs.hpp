#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "config/node.hpp"
#include "text/catalogue/cost.hpp"

namespace scoville::cost {

/// The numbers of one option. Their names, units, ranges and meanings stand once, in inputs.cpp.
enum class In : std::size_t {
  wacc,
  horizon_years,
  pue,
  price_kwh,
  colo_kw_month,
  demand_charge_kw_month,
  rack_kw_limit,
  power_kw_limit,
  accelerators,
  acc_per_node,
  redundant_nodes,
  spare_frac,
  price_acc,
  price_node_rest,
  price_net_per_acc,
  install_frac,
  facility_oneoff,
  residual_frac,
  kw_prov,
  kw_idle,
  kw_busy,
  support_frac,
  afr,
  rma_cost_frac,
  mttr_h,
  planned_down,
  spare_lead_weeks,
  spare_service_level,
  fte_ops,
  fte_cost,
  net_opex_year,
  licence_acc_year,
  storage_tb,
  price_tb_month,
  port_engineers,
  port_years,
  port_eng_cost,
  port_extra,
  port_upkeep_year,
  delay_months,
  delay_equiv,
  bridge_premium,
  util,
  good_frac,
  price_acc_hour,
  billed_share,
  min_term_months,
  price_in_mtok,
  price_cached_mtok,
  price_out_mtok,
  checkpoint_s,
  restart_s,
  // From here on none has a key of its own in a file.
  out_per_s,
  in_per_s,
  cached_share,
  perf_scale,
};
inline constexpr std::size_t kInputs = static_cast<std::size_t>(In::perf_scale) + 1;
inline constexpr std::size_t kInputsWithKeys = static_cast<std::size_t>(In::out_per_s);

enum class Kind { owned, rented, api };
inline constexpr std::array<std::string_view, 3> kKindNames{"owned", "rented", "api"};

/// Where the key stands in a study.
enum class Scope { study, site, option };

/// What happens where nobody states it.
enum class Need {
  required,   ///< asked for, never guessed
  defaulted,  ///< data/cost_defaults.yaml, with its source; asked for where that has none
  nothing,    ///< counted as `neutral`, and said so
  optional,   ///< what it would tell is left out
};

/// Which tax a purchase bears.
enum class Tax { none, goods, services };

/// One input, declared once: reader, defaults, sensitivities, report and documentation go by it.
struct Input {
  In id{};
  std::string_view section, key;  ///< "port", "engineers"; no section: the key stands alone
  std::string_view unit;          ///< "money/kWh": an amount of the study's currency
  Scope scope = Scope::option;
  Need need = Need::nothing;
  config::Range range = config::kAtLeastZero;
  unsigned kinds = 0;  ///< bit n: the n-th Kind uses it
  Tax tax = Tax::none;
  double neutral = 0;
  text::CostMsg meaning{};

  bool is_money() const { return unit.starts_with("money"); }
  bool serves(Kind kind) const { return (kinds >> static_cast<unsigned>(kind) & 1U) != 0; }
};

std::span<const Input> inputs();
const Input& input_of(In id);
/// "port.engineers", "site.pue", "wacc": as a person would write it.
std::string path_of(const Input& input);

/// A number for each input.
class Values {
 public:
  double& operator[](In id) { return all_[static_cast<std::size_t>(id)]; }
  double operator[](In id) const { return all_[static_cast<std::size_t>(id)]; }

 private:
  std::array<double, kInputs> all_{};
};

}  // namespace scoville::cost
