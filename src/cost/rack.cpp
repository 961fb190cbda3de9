#include "cost/rack.hpp"

#include <cmath>

namespace scoville::cost {

RackCheck rack_check(const Plant& plant, const Fleet& fleet) {
  RackCheck out;
  out.kw_prov = fleet.installed * plant[In::kw_prov];
  out.out_per_s_per_kw = plant.out_rate() / plant[In::kw_prov];
  if (const double limit = plant[In::rack_kw_limit]; limit > 0) {
    out.acc_per_rack = std::floor(limit / plant[In::kw_prov] + 1e-9);
    const double nodes = std::floor(limit / (plant[In::kw_prov] * plant[In::acc_per_node]) + 1e-9);
    out.node_fits = nodes >= 1;
    if (out.node_fits) out.racks = std::ceil(fleet.nodes / nodes - 1e-9);
  }
  if (const double limit = plant[In::power_kw_limit]; limit > 0) {
    out.power_limit = limit;
    out.power_fits = out.kw_prov <= limit;
  }
  return out;
}

double poisson_stock(double mean, double level) {
  // In logarithms: e^-mean is 0 in doubles from a mean of 746 on.
  double log_term = -mean, below = std::exp(log_term), n = 0;
  const double enough = mean + 12 * std::sqrt(mean) + 60;
  while (below < level && n < enough) {
    ++n;
    log_term += std::log(mean) - std::log(n);
    below += std::exp(log_term);
  }
  return n;
}

std::optional<SpareCheck> spare_check(const Plant& plant, const Fleet& fleet) {
  SpareCheck out;
  out.lead_weeks = plant[In::spare_lead_weeks];
  if (out.lead_weeks <= 0) return std::nullopt;
  out.service_level = plant[In::spare_service_level];
  out.expected_failures = fleet.installed * plant[In::afr] * out.lead_weeks * 7 * 24 / kYearHours;
  out.needed = out.expected_failures > 0 ? poisson_stock(out.expected_failures, out.service_level) : 0;
  out.held = fleet.bought - fleet.installed;
  return out;
}

}  // namespace scoville::cost
