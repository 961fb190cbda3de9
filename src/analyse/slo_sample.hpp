#pragma once

#include <span>
#include <vector>

#include "analyse/latencies.hpp"
#include "plan/slo.hpp"

namespace scoville::analyse {

/// Every attempted request of a run as its limits see it, in the order of issue. Times in seconds.
struct SloSample {
  std::vector<double> at;  ///< zero of each (due, else written), from the first
  /// One series for each SLO; infinity for a request that failed or has no such latency: it is over every limit. (One
  /// of a single token meets a TPOT limit: there was nothing to be slow.)
  std::vector<std::vector<double>> latencies;
  /// What grows with a queue: time to the first token, and to the end. NaN for a request that failed.
  std::vector<double> first_token, end;

  std::size_t size() const { return at.size(); }
  /// Without its first `count` requests.
  SloSample without_first(std::size_t count) const;
};

/// `records`: those that count, in any order.
SloSample slo_sample(const Records& records, std::span<const plan::Slo> slos);

}  // namespace scoville::analyse
