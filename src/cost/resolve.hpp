#pragma once

#include "cost/outcome.hpp"

namespace scoville::cost {

/// A study with every number in its place.
struct Resolved {
  Model model;
  std::vector<Lever> levers;
  std::vector<ScaleRange> ranges;  ///< of each option's throughput
};

/// Fills in defaults and derived values, and notes in `outcome` which, what counts as nothing, and what is missing.
/// Only where nothing is missing is the model whole.
Resolved resolve(const Study& study, Outcome& outcome);

/// What a stated price is multiplied with so that tax which is borne is in it, and tax which comes back is not. Empty:
/// it takes a rate that nobody stated.
std::optional<double> tax_factor(const TaxRule& rule, Tax tax);

}  // namespace scoville::cost
