#include "cost/model.hpp"

#include <algorithm>

namespace scoville::cost {
namespace {

Rounding rounding_of(Sizing sizing) { return sizing == Sizing::fractional ? Rounding::fractional : Rounding::whole; }

}  // namespace

double Model::first_rate() const { return plants.front().kind == Kind::api ? 0 : plants.front().out_rate(); }

Volumes Model::volumes(std::size_t option, double out) const {
  const Plant& plant = plants[option];
  double ratio = in_out_ratio;
  if (plant.kind != Kind::api && plant.out_rate() > 0) ratio = plant.in_rate() / plant.out_rate();
  return {out, out * ratio, out * ratio * plant[In::cached_share]};
}

Line Model::line(std::size_t option) const {
  const Plant& plant = plants[option];
  Line out;
  if (plant.kind == Kind::api) {
    out.fixed = annual_of_tokens(plant, {}).total();
    out.per_mtok_out = annual_of_tokens(plant, volumes(option, 1)).total() - out.fixed;
    return out;
  }
  const double rate = first_rate();
  const auto cost_of = [&](double n) {
    return annual_of_fleet(plant, fleet_of(plant, n, Rounding::fractional), rate).total();
  };
  out.fixed = cost_of(0);
  out.per_acc = cost_of(1) - out.fixed;
  out.mtok_out_per_acc = tokens_of(plant).mtok_out;
  out.per_mtok_out = out.per_acc / out.mtok_out_per_acc;
  return out;
}

Fleet Model::fleet(std::size_t option) const {
  const Plant& plant = plants[option];
  if (plant.kind == Kind::api) return {};
  double serving = 0;
  if (stated[option]) {
    serving = *stated[option];
  } else {
    serving = mtok_out / tokens_of(plant).mtok_out;
    if (sizing == Sizing::whole_nodes) serving = whole_nodes(plant, serving) * plant[In::acc_per_node];
  }
  return fleet_of(plant, serving, rounding_of(sizing));
}

Volumes Model::served(std::size_t option, bool has_demand) const {
  if (plants[option].kind == Kind::api) return volumes(option, mtok_out);
  const double most = fleet(option).serving * tokens_of(plants[option]).mtok_out;
  return volumes(option, has_demand || !stated[option] ? std::min(most, mtok_out) : most);
}

Annual Model::annual(std::size_t option) const {
  if (plants[option].kind == Kind::api) return annual_of_tokens(plants[option], volumes(option, mtok_out));
  return annual_of_fleet(plants[option], fleet(option), first_rate());
}

double Model::whole_cost(std::size_t option, double out) const {
  const Plant& plant = plants[option];
  if (plant.kind == Kind::api) return annual_of_tokens(plant, volumes(option, out)).total();
  const double serving = whole_nodes(plant, out / tokens_of(plant).mtok_out) * plant[In::acc_per_node];
  return annual_of_fleet(plant, fleet_of(plant, serving, Rounding::whole), first_rate()).total();
}

double Model::saving(std::size_t option) const { return line(0).at(mtok_out) - line(option).at(mtok_out); }

}  // namespace scoville::cost
