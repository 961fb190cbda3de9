#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace scoville::stats {

/// One attempted request, as far as its limits go. The times are in whatever unit the limits are in.
struct Attempt {
  std::optional<double> ttft;
  std::optional<double> tpot;
  std::optional<double> e2e;
  bool ok = false;  ///< completed without error
};

/// What a good request keeps to, each inclusive; none: no such limit.
struct ServiceLimits {
  std::optional<double> ttft;
  std::optional<double> tpot;
  std::optional<double> e2e;
};

/// Every attempted request is in exactly one of good, missed, unmeasured, failed.
struct Goodput {
  std::size_t attempted = 0;
  std::size_t good = 0;        ///< ok, and within every limit
  std::size_t missed = 0;      ///< ok, but over a limit
  std::size_t unmeasured = 0;  ///< ok and over none, but a limited time is not known (one token has no TPOT): not good
  std::size_t failed = 0;
  double attainment = 0;  ///< good / attempted
  double goodput = 0;     ///< good / second
  double throughput = 0;  ///< ok / second

  friend bool operator==(const Goodput&, const Goodput&) = default;
};

/// Completed, and known to be within every limit.
bool is_good(const Attempt& attempt, const ServiceLimits& limits);

/// Goodput as DistServe defines it (OSDI 2024), over attempted requests: a server that fails, refuses or drops a
/// request does not raise its share (arXiv 2410.14257). It cannot see tokens held back to smooth the tail: show the
/// largest gap beside it. attainment_interval(good, attempted) gives its doubt.
///
/// `seconds` is how long the requests were issued for. Nullopt without requests, or unless 0 < seconds < infinity.
std::optional<Goodput> measure_goodput(std::span<const Attempt> attempts, const ServiceLimits& limits, double seconds);

}  // namespace scoville::stats
