#pragma once

#include <span>
#include <vector>

namespace scoville::stats {

/// How much less a sample tells of a share because the events come in clusters.
///
/// A queue that is long once is long for a while, so requests over a limit come together: of 1,000 requests at 88 % of
/// what sixteen servers can do, one in a hundred over the limit, 84 % of samples hold none at all, where independent
/// ones would hold ten. No miss then proves next to nothing. The number of misses varies as if there were only
/// N / inflation requests: inflation = 1 + 2 Σ ρ_k, ρ_k the autocorrelation of "over the limit" at lag k, summed by
/// Geyer's initial monotone sequence (1992).
///
/// Where misses are few, they say nothing of their own clusters, but lesser delays do: the same sum is taken of "over
/// the median", "over the upper quarter", "over the upper tenth" of the sample itself, and the largest counts. A sum
/// estimated from a sample may come out too small by luck: it is raised by `doubt` of its standard errors,
/// √(2 (2 M + 1) / N), M the last lag that counts (Madras and Sokal 1988).
inline constexpr double kClusterDoubt = 1.645;

/// At least 1. `pieces`: values in the order of time, each piece begun anew (a run of its own); infinity is allowed,
/// NaN is not. 1 for fewer than eight values.
double clustering_inflation(std::span<const std::vector<double>> pieces, double limit, double doubt = kClusterDoubt);

/// The same of one threshold alone, without its doubt: 1 + 2 Σ ρ_k of "above it". 1 where all are, or none.
double exceedance_inflation(std::span<const std::vector<double>> pieces, double threshold);

}  // namespace scoville::stats
