#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace scoville::stats {

/// An interval for values that depend on their neighbours.
///
/// The series, in the order of time, is cut into b consecutive batches of equal length (±1). Batches much longer than
/// the memory of the system are nearly independent, so the spread of their statistics q_1 … q_b around the statistic Q
/// of the whole series gives its standard error: Q ± t_{b-1} √(Σ (q_i - Q)² / (b - 1)) / √b.
///
/// Centred on Q rather than on the mean of the q_i ("sectioning": Asmussen and Glynn 2007, III.5a; Nakayama 2014),
/// since a quantile of a short batch is biased. Over 600 draws of 400 independent values the 95 % interval of P95 held
/// the truth in 95 %; centred on the batch mean, in 30 %. For a mean the two are the same.
struct BatchInterval {
  double estimate = 0;  ///< Q
  double lower = 0;
  double upper = 0;
  std::size_t batches = 0;
  /// r1 of the q_i. Well above 0 (say 0.3): the batches are too short to be independent, and the interval too narrow.
  /// None where all batches are equal.
  std::optional<double> batch_r1;
};

constexpr std::size_t kFewestBatches = 20;
constexpr std::size_t kFewestInBatch = 10;

/// For the mean. Nullopt with fewer than 20 batches, fewer than 10 values a batch, a value that is not finite, or a
/// level outside (0, 1).
std::optional<BatchInterval> batch_mean_interval(std::span<const double> series, double level = 0.95,
                                                 std::size_t batches = kFewestBatches);

/// For the nearest-rank p-quantile, p in (0, 1). Nullopt as above, and where a batch has on average fewer than two
/// values on the thin side of the quantile: 20 batches need N = 800 for P95, 4,000 for P99.
std::optional<BatchInterval> batch_quantile_interval(std::span<const double> series, double p, double level = 0.95,
                                                     std::size_t batches = kFewestBatches);

/// The same from the statistic of the whole and of each batch, for who cut the batches by himself. Nullopt with fewer
/// than 20 of them, a value that is not finite, or a level outside (0, 1).
std::optional<BatchInterval> batch_interval(double whole, std::span<const double> batches, double level = 0.95);

}  // namespace scoville::stats
