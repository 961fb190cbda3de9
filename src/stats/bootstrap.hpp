#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace scoville::stats {

struct BootstrapRule {
  double level = 0.95;
  std::size_t replicates = 10'000;
  std::uint64_t seed = 42;
};

/// Percentiles of the replicates, by linear interpolation (type 7).
struct BootstrapRatio {
  double lower = 0;
  double median = 0;
  double upper = 0;
};

/// median(other) / median(base), resampled with replacement (Efron 1979, percentile interval).
///
/// To be shown, not relied on: with five runs each it falls back onto the ratios of pairs, and its level is not the one
/// asked for. mann_whitney.hpp has the interval that a verdict stands on.
///
/// The same digits everywhere: std::mt19937_64(seed), index = floor(((next >> 11) · 2^-53) · n); each replicate draws
/// all of base, then all of other. Nullopt for an empty arm, values that are not finite and > 0, a level outside (0,
/// 1), no replicate or over ten million. Ten thousand replicates of five and five take two milliseconds.
std::optional<BootstrapRatio> bootstrap_ratio(std::span<const double> base, std::span<const double> other,
                                              const BootstrapRule& rule = {});

}  // namespace scoville::stats
