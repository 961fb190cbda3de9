#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace scoville::stats {

/// Sum / N, in the unit of the values. Nullopt for an empty span, or where the sum is not finite.
std::optional<double> mean(std::span<const double> values);

/// What one line says about a sample. All but `count` in the unit of the values.
struct Summary {
  std::size_t count = 0;
  double mean = 0;
  double population_std = 0;         ///< divisor N: the spread of exactly these values (numpy's and vLLM's "std")
  std::optional<double> sample_std;  ///< divisor N - 1: the spread of what they were drawn from; none for one value
  double min = 0;
  double max = 0;
};

/// Nullopt for an empty span and where any value is not finite. Two passes, so that a small spread on a large level
/// (nanoseconds since boot) does not cancel away.
std::optional<Summary> summarize(std::span<const double> values);

}  // namespace scoville::stats
