#pragma once

#include <optional>

#include "cost/plant.hpp"

namespace scoville::cost {

/// Whether the fleet fits its racks and its power, and what a kW brings.
struct RackCheck {
  std::optional<double> acc_per_rack;  ///< that the rack's power feeds; empty: no limit was stated
  std::optional<double> racks;
  bool node_fits = true;  ///< a whole node fits one rack
  double kw_prov = 0;     ///< of the fleet, IT side
  std::optional<double> power_limit;
  bool power_fits = true;
  double out_per_s_per_kw = 0;  ///< output tokens/s for each provisioned kW
};
RackCheck rack_check(const Plant& plant, const Fleet& fleet);

/// Spares against the time in which no other can be had.
struct SpareCheck {
  double lead_weeks = 0, service_level = 0;
  double expected_failures = 0;  ///< within the lead time
  double needed = 0;             ///< that hold at that level, failures being a Poisson stream
  double held = 0;
  bool is_enough() const { return held >= needed; }
};
/// Empty where the lead time was not said.
std::optional<SpareCheck> spare_check(const Plant& plant, const Fleet& fleet);

/// The smallest n with P(failures <= n) >= level for a Poisson number of that mean.
double poisson_stock(double mean, double level);

}  // namespace scoville::cost
