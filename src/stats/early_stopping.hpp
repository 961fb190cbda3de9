#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace scoville::stats {

/// Early stopping, the rule by which MLPerf LoadGen decides that a percentile has been measured (mlcommons/inference,
/// loadgen/early_stopping.cc). With t requests over a limit and h under it, "the p-quantile is at or under the limit"
/// holds at this confidence as soon as I_p(h, t + 1) = P(Bin(h + t, 1 - p) <= t) <= 1 - confidence.
///
/// p and confidence in (0, 1), else nullopt. Nullopt as well where more than 2^53 requests would be needed.

/// The fewest requests under the limit that t over it call for. h_min(0) is 7, 44, 90, 459 for P50, P90, P95, P99.
std::optional<std::uint64_t> h_min(std::uint64_t t, double p, double confidence = 0.99);

/// The largest t with h_min(t) + t <= N; nullopt where not even t = 1 fits.
std::optional<std::uint64_t> allowed_overlatency(std::uint64_t n, double p, double confidence = 0.99);

/// An upper bound of the p-quantile at the confidence asked for, in the unit of the values.
struct CertifiedPercentile {
  double value = 0;               ///< x_(N - t + 1)
  std::uint64_t rank = 0;         ///< N - t + 1, from 1
  std::uint64_t overlatency = 0;  ///< t
};

/// `sorted` is ascending. Nullopt where N is below minimum_sample(p), and where the value at the rank is not finite.
std::optional<CertifiedPercentile> certified_percentile(std::span<const double> sorted, double p,
                                                        double confidence = 0.99);

/// The least N with an allowed overlatency, h_min(1) + 1: 11 for P50, 64 for P90, 130 for P95, 662 for P99. Below it a
/// percentile is shown as unsupported, and no verdict, gate or SLO uses it.
std::optional<std::uint64_t> minimum_sample(double p, double confidence = 0.99);

}  // namespace scoville::stats
