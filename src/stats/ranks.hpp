#pragma once

#include <span>
#include <vector>

namespace scoville::stats {

/// Rank from 1 of each value, in the order of the values; equals share the mean of their ranks. No value may be NaN.
std::vector<double> mid_ranks(std::span<const double> values);

}  // namespace scoville::stats
