#pragma once

#include <string>
#include <vector>

#include "cost/model.hpp"

namespace scoville::cost {

/// An input that somebody gave a range, and whose it is: one option's, or that of all who share it.
struct Lever {
  In id{};
  std::vector<std::size_t> options;  ///< whose value it is
  bool is_shared = false;            ///< stated once for all
  double base = 0, low = 0, high = 0;
};

/// What one lever does while all others stay where they are.
struct Bar {
  Lever lever;
  double at_low = 0, at_high = 0;

  double swing() const { return at_high - at_low; }
};

/// What is looked at: a figure of a model.
using Figure = double (*)(const Model& model, std::size_t option);

/// One bar for each lever that touches the figure at all, the largest swing first.
std::vector<Bar> tornado(const Model& model, std::size_t option, const std::vector<Lever>& levers, Figure figure);

/// The figure at each of `values` of one lever.
std::vector<double> along(const Model& model, std::size_t option, const Lever& lever, const std::vector<double>& values,
                          Figure figure);

/// The saving of an option against the first, money a year.
double saving_figure(const Model& model, std::size_t option);
/// Money for a million output tokens that carry the whole bill. By any other method the figure moves in the same
/// proportion: a method only divides the bill.
double cost_figure(const Model& model, std::size_t option);

}  // namespace scoville::cost
