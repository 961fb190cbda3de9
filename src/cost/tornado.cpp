#include "cost/tornado.hpp"

#include <algorithm>
#include <cmath>

namespace scoville::cost {
namespace {

void set(Model& model, const Lever& lever, double value) {
  for (const std::size_t i : lever.options) model.plants[i][lever.id] = value;
}

}  // namespace

std::vector<double> along(const Model& model, std::size_t option, const Lever& lever, const std::vector<double>& values,
                          Figure figure) {
  Model changed = model;
  std::vector<double> out;
  out.reserve(values.size());
  for (const double value : values) {
    set(changed, lever, value);
    out.push_back(figure(changed, option));
  }
  return out;
}

std::vector<Bar> tornado(const Model& model, std::size_t option, const std::vector<Lever>& levers, Figure figure) {
  std::vector<Bar> out;
  for (const Lever& each : levers) {
    const std::vector<double> ends = along(model, option, each, {each.low, each.high}, figure);
    Bar bar{each, ends[0], ends[1]};
    if (std::isfinite(bar.swing()) && bar.swing() != 0) out.push_back(std::move(bar));
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Bar& a, const Bar& b) { return std::abs(a.swing()) > std::abs(b.swing()); });
  return out;
}

double saving_figure(const Model& model, std::size_t option) { return model.saving(option); }

double cost_figure(const Model& model, std::size_t option) {
  if (model.plants[option].kind == Kind::api || !model.stated[option])
    return model.line(option).at(model.mtok_out) / model.mtok_out;
  return model.annual(option).total() / model.served(option, /*has_demand=*/false).out;
}

}  // namespace scoville::cost
