#pragma once

#include <array>
#include <string_view>

#include "cost/attribution.hpp"
#include "cost/plant.hpp"

namespace scoville::cost {

/// A line of the bill of a year.
enum class Part {
  capital,
  rent,
  tokens,
  electricity,
  demand_charge,
  space,
  support,
  failures,
  staff,
  operations,
  licence,
  storage,
  porting,
  upkeep,
  delay,
};
inline constexpr std::size_t kParts = static_cast<std::size_t>(Part::delay) + 1;
inline constexpr std::array<std::string_view, kParts> kPartNames{
    "capital", "rent",     "tokens",  "electricity", "demand_charge", "space",          "support", "failures",
    "staff",   "net_opex", "licence", "storage",     "porting",       "porting_upkeep", "delay"};

/// What one year costs, at prices of year 0. One-off sums are spread over the horizon by the annuity factor.
struct Annual {
  std::array<double, kParts> parts{};
  // How it came about.
  double capex_acc = 0, capex_node = 0, capex_net = 0, capex_hw = 0, capex_install = 0, capex_total = 0;
  double residual = 0, residual_now = 0;  ///< at the end; discounted to year 0
  double kw_prov = 0, kw_avg = 0, kwh_it = 0, kwh_facility = 0;
  double failures = 0;  ///< a year
  double port_oneoff = 0, delay_oneoff = 0;

  double operator[](Part part) const { return parts[static_cast<std::size_t>(part)]; }
  double& operator[](Part part) { return parts[static_cast<std::size_t>(part)]; }
  double total() const;
  double power() const { return (*this)[Part::electricity] + (*this)[Part::demand_charge]; }
};

/// Capital recovery: w/(1-(1+w)^-L), and 1/L where w is 0.
double annuity(double wacc, double years);

/// A fleet, owned or rented. `first_rate`: output tokens/s of an accelerator of the first option, by which a delay is
/// bridged (0: there is none to bridge with).
Annual annual_of_fleet(const Plant& plant, const Fleet& fleet, double first_rate);

/// Tokens bought by the million.
Annual annual_of_tokens(const Plant& plant, const Volumes& volumes);

}  // namespace scoville::cost
