#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace scoville::stats {

/// What a comparison of so many runs could have seen. Printed with every "inconclusive": not seen is not absent.
struct Design {
  bool is_paired = false;
  double alpha = 0.05;  ///< two-sided; α/m for a family of m
  double power = 0.8;   ///< how often a difference of that size is to be found
};

/// The least difference found with that power, in units of the run-to-run spread: the δ at which a noncentral t passes
/// its two-sided limit with probability `power` (Cohen 1988, 2.4). Unpaired, `runs` in each arm: noncentrality
/// δ √(runs/2), 2 runs - 2 degrees of freedom. Paired: δ √runs, runs - 1, and the spread is that of the pairs' ratios.
///
/// The t-test stands for the rank tests that we use and flatters them a little: a shift of 2 SD at five runs is found
/// in 0.69 of cases by Mann-Whitney, in 0.79 by t; at eight runs 1.5 SD in 0.77 and 0.80. Nullopt with fewer than two
/// runs, over kMostRuns, or alpha or power outside (0, 1), or power <= alpha, where no effect at all is needed.
constexpr std::size_t kMostRuns = 10'000;
std::optional<double> detectable_spreads(std::size_t runs, const Design& design = {});

/// The same as a relative difference: times `cv`, sample standard deviation / mean, >= 0.
std::optional<double> detectable_effect(std::size_t runs, double cv, const Design& design = {});

/// How many runs per arm (or pairs) find a relative difference of this size, > 0. At least as many as the rank test
/// needs to reach alpha at all: four a side, six pairs at 5 %. Nullopt where kMostRuns are too few.
std::optional<std::size_t> runs_to_resolve(double difference, double cv, const Design& design = {});

/// √((cv_a² + cv_b²) / 2): one spread for two arms. Nullopt with fewer than two values in an arm, a value that is not
/// finite, or a mean <= 0.
std::optional<double> pooled_cv(std::span<const double> base, std::span<const double> other);

}  // namespace scoville::stats
