#include "cost/break_even.hpp"

#include <algorithm>
#include <cmath>

namespace scoville::cost {
namespace {

constexpr double kMostSteps = 1e5;  // nodes looked at, one by one

/// What rounding up can add at the most: a node and a spare of a year.
double rounding_cost(const Plant& plant, const Line& line) {
  if (plant.kind == Kind::api) return 0;
  const double spare = plant[In::price_acc] * (1 + plant[In::install_frac]);
  return line.per_acc * plant[In::acc_per_node] + spare;
}

/// Walks through the demands that whole nodes of one of the two serve in full.
Zone scan(const Model& model, std::size_t option, const BreakEven& found) {
  const std::size_t stepped = model.plants[0].kind == Kind::api ? option : 0;
  const Plant& plant = model.plants[stepped];
  const double step = plant[In::acc_per_node] * tokens_of(plant).mtok_out;
  const double slope = found.first.per_mtok_out - found.option.per_mtok_out;
  const double slack = rounding_cost(model.plants[0], found.first) + rounding_cost(model.plants[option], found.option);
  const double steps = (found.option.fixed - found.first.fixed + slack) / slope / step + 2;
  Zone out;
  if (steps > kMostSteps) return out;  // the point lies so far out that a node more or less is nothing
  for (double i = 1; i <= steps; ++i) {
    WholePoint at;
    at.mtok_out = i * step;
    at.first_cost = model.whole_cost(0, at.mtok_out);
    at.option_cost = model.whole_cost(option, at.mtok_out);
    const auto accelerators = [&](std::size_t of) {
      const Plant& p = model.plants[of];
      return p.kind == Kind::api ? 0 : whole_nodes(p, at.mtok_out / tokens_of(p).mtok_out) * p[In::acc_per_node];
    };
    at.first_acc = accelerators(0);
    at.option_acc = accelerators(option);
    if (at.option_cost >= at.first_cost)
      out.last_loss = at;
    else if (!out.first_win)
      out.first_win = at;
  }
  return out;
}

Sense sense_of(double fixed_more, double slope_less) {
  if (fixed_more > 0) return slope_less > 0 ? Sense::above : Sense::never;
  if (slope_less >= 0) return fixed_more == 0 && slope_less == 0 ? Sense::never : Sense::always;
  return fixed_more < 0 ? Sense::below : Sense::never;
}

}  // namespace

BreakEven break_even(const Model& model, std::size_t option) {
  BreakEven out;
  out.first = model.line(0);
  out.option = model.line(option);
  const double fixed_more = out.option.fixed - out.first.fixed;
  const double slope_less = out.first.per_mtok_out - out.option.per_mtok_out;
  out.sense = sense_of(fixed_more, slope_less);
  if (out.sense != Sense::above && out.sense != Sense::below) return out;
  out.mtok_out = fixed_more / slope_less;
  const auto accelerators = [&](const Line& line) -> std::optional<double> {
    if (line.mtok_out_per_acc <= 0) return std::nullopt;
    return *out.mtok_out / line.mtok_out_per_acc;
  };
  out.first_acc = accelerators(out.first);
  out.option_acc = accelerators(out.option);
  if (out.sense == Sense::above) out.zone = scan(model, option, out);
  return out;
}

/// With b = D·s₀/t₁ (the part of the cost that falls as 1/r), C = F + b/r + D·d/t₁, where t₁ is an accelerator's output
/// at the first option's rate, s₀ its cost without the delay and d that of a delay bridged one to one.
std::optional<double> break_even_ratio(const Model& model, std::size_t option) {
  if (model.plants[0].kind == Kind::api || model.plants[option].kind == Kind::api) return std::nullopt;
  Model changed = model;
  Plant& plant = changed.plants[option];
  plant[In::perf_scale] = changed.first_rate() / plant[In::out_per_s];
  double bridged = 0;
  if (plant.delay_follows) {
    const double with_delay = changed.line(option).per_acc;  // at a ratio of 1
    plant[In::delay_months] = 0;
    bridged = with_delay - changed.line(option).per_acc;
  }
  const Line even = changed.line(option);
  const double demand = model.mtok_out / even.mtok_out_per_acc;
  const double left = model.line(0).at(model.mtok_out) - even.fixed - demand * bridged;
  if (left <= 0) return std::nullopt;
  return demand * even.per_acc / left;
}

PortingCase porting_case(const Model& model, std::size_t option) {
  const Plant& plant = model.plants[option];
  const double recovery = annuity(plant[In::wacc], plant[In::horizon_years]);
  PortingCase out;
  out.oneoff = plant[In::port_engineers] * plant[In::port_years] * plant[In::port_eng_cost] + plant[In::port_extra];
  out.saving_before = model.saving(option) + out.oneoff * recovery;
  if (out.saving_before > 0) out.payback_years = out.oneoff / out.saving_before;
  out.affordable = std::max(0.0, out.saving_before / recovery);
  out.net_present_value = out.saving_before / recovery - out.oneoff;
  if (plant[In::port_eng_cost] > 0) out.affordable_engineer_years = out.affordable / plant[In::port_eng_cost];
  return out;
}

}  // namespace scoville::cost
