#include "cost/plant.hpp"

#include <cmath>

namespace scoville::cost {
namespace {

constexpr double kSlack = 1e-9;  // 656.0000000001 cards are 656

double up(double value) { return std::ceil(value - kSlack * std::max(1.0, value)); }

}  // namespace

Tokens tokens_of(const Plant& plant) {
  Tokens out;
  if (!plant.is_served_volume) {
    out.unplanned_down = plant[In::acc_per_node] * plant[In::afr] * plant[In::mttr_h] / kYearHours;
    out.availability = std::max(0.0, 1 - out.unplanned_down) * (1 - plant[In::planned_down]);
    out.useful_share = plant[In::util] * out.availability * plant[In::good_frac];
  }
  out.mtok_out = kYearSeconds * plant.out_rate() * out.useful_share / 1e6;
  out.mtok_in = kYearSeconds * plant.in_rate() * out.useful_share / 1e6;
  return out;
}

double whole_nodes(const Plant& plant, double accelerators) { return up(accelerators / plant[In::acc_per_node]); }

Fleet fleet_of(const Plant& plant, double serving, Rounding rounding) {
  Fleet out;
  out.serving = serving;
  out.installed = serving + plant[In::redundant_nodes] * plant[In::acc_per_node];
  const double with_spares = out.installed * (1 + plant[In::spare_frac]);
  const bool is_whole = rounding == Rounding::whole;
  out.bought = is_whole ? up(with_spares) : with_spares;
  out.nodes = is_whole ? whole_nodes(plant, out.installed) : out.installed / plant[In::acc_per_node];
  return out;
}

}  // namespace scoville::cost
