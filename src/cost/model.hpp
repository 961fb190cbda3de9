#pragma once

#include <optional>
#include <vector>

#include "cost/annual.hpp"

namespace scoville::cost {

/// A cost that is a fixed sum and so much for each token: what every option is while cards may be divided.
struct Line {
  double fixed = 0;             ///< money a year
  double per_acc = 0;           ///< money a year for one more accelerator; 0 of an API
  double mtok_out_per_acc = 0;  ///< a year; 0 of an API
  double per_mtok_out = 0;      ///< money for one more Mtok of output, its input included

  double at(double mtok_out) const { return fixed + per_mtok_out * mtok_out; }
};

/// All options as numbers, and what they have to serve. Its functions are pure arithmetic: a sensitivity changes a
/// value of a copy and asks again.
struct Model {
  std::vector<Plant> plants;
  double mtok_out = 0;      ///< of output tokens a year, that all options are held against
  double in_out_ratio = 0;  ///< input tokens for each of output, where an option does not have its own
  Sizing sizing = Sizing::whole_nodes;
  std::vector<std::optional<double>> stated;  ///< accelerators that an option was said to have

  double first_rate() const;
  Line line(std::size_t option) const;
  /// Tokens that an option buys or makes when it serves `mtok_out` of output.
  Volumes volumes(std::size_t option, double mtok_out) const;

  /// The fleet that is there, or that the demand needs; none of an API.
  Fleet fleet(std::size_t option) const;
  /// What that fleet serves: the demand, or as much of it as it can; without a demand all it can.
  Volumes served(std::size_t option, bool has_demand) const;
  Annual annual(std::size_t option) const;
  /// With whole nodes and spares, at that demand.
  double whole_cost(std::size_t option, double mtok_out) const;
  /// Money a year that `option` saves against the first, at the demand, with cards that may be divided.
  double saving(std::size_t option) const;
};

}  // namespace scoville::cost
