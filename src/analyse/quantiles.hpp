#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "stats/batch_means.hpp"

namespace scoville::analyse {

/// One latency of one request: known, or known to be at least so long because the request was given up.
struct Sample {
  Nanos value{};
  bool is_censored = false;  ///< true: `value` is a lower bound
};

/// Why a quantile has no interval, or no value. The names are codes in the JSON.
enum class NoInterval { none, too_few, autocorrelated, censored, pooled, coalesced };
std::string_view name_of(NoInterval reason);

struct Quantile {
  double p = 0;
  std::optional<Nanos> value;     ///< nearest rank x_(⌈pN⌉); empty where it falls on a request that was given up
  std::optional<Nanos> at_least;  ///< in that case: a lower bound
  std::optional<Nanos> low, high;
  std::optional<double> level;  ///< coverage that [low, high] really has
  bool is_by_batches = false;   ///< interval from batch means: the samples follow each other too closely for ranks
  bool is_supported = false;    ///< enough samples for a verdict on this quantile
  std::size_t needed = 0;       ///< samples that it would take
  NoInterval reason = NoInterval::none;
  /// Upper bound of the quantile at kCertifiedLevel, by early stopping; for requests that do not follow each other.
  std::optional<Nanos> certified;
  NoInterval not_certified = NoInterval::none;
};

/// The confidence of Quantile::certified.
inline constexpr double kCertifiedLevel = 0.99;

/// One latency over all requests that have it.
struct Metric {
  std::size_t n = 0;  ///< samples, those that were given up included
  std::size_t censored = 0;
  std::optional<Nanos> mean, smallest, largest;          ///< mean and largest: empty where a sample was given up
  std::optional<Nanos> mean_at_least, largest_at_least;  ///< in that case: lower bounds
  std::optional<double> effective_n;                     ///< n·(1−r1)/(1+r1); empty where it cannot be told
  std::vector<Quantile> quantiles;

  const Quantile* at(double p) const;
};

/// Above this share the gaps are the transport's, not the server's.
inline constexpr double kCoalescedLimit = 0.5;

/// P50, P90, P95, P99.
const std::vector<double>& default_quantiles();

/// `samples` in the order in which the requests were due: their autocorrelation decides whether ranks give an interval.
Metric summarise(const std::vector<Sample>& samples, const std::vector<double>& quantiles);

/// For who finds the values elsewhere: a quantile with what `n` independent samples support, and no value yet.
Quantile begin_quantile(double p, std::size_t n);

/// Takes over the interval, unless there is none or its batches resemble their neighbours too much: then `otherwise` is
/// the reason.
void put_batch_interval(Quantile& quantile, const std::optional<stats::BatchInterval>& interval, NoInterval otherwise);

}  // namespace scoville::analyse
