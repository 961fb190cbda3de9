#include "workload/arrivals.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/summary.hpp"

namespace scoville::workload {
namespace {

constexpr std::size_t kFewestGaps = 20, kMostParts = 24, kFewestParts = 4, kFewestPerPart = 10;

Regularity judge(double variation, std::size_t gaps) {
  if (gaps < kFewestGaps) return Regularity::unknown;
  const double z = (variation - 1) * std::sqrt(static_cast<double>(gaps));
  if (std::abs(z) <= 1.96) return Regularity::poisson;
  return z > 0 ? Regularity::bursty : Regularity::regular;
}

void look_for_changes(std::span<const Nanos> times, Arrivals& seen) {
  const std::size_t parts = std::min(kMostParts, times.size() / kFewestPerPart);
  if (parts < kFewestParts) return;
  std::vector<double> counts(parts);
  const double length = to_seconds(seen.span) / static_cast<double>(parts);
  for (const Nanos at : times) {
    const auto part = static_cast<std::size_t>(to_seconds(at - times.front()) / length);
    ++counts[std::min(part, parts - 1)];
  }
  const double mean = static_cast<double>(times.size()) / static_cast<double>(parts);
  double squares = 0;
  for (const double each : counts) squares += (each - mean) * (each - mean);
  const double freedom = static_cast<double>(parts - 1);
  const double spread = squares / (mean * std::max(*seen.variation * *seen.variation, 1.0));
  seen.parts = parts;
  seen.quietest = *std::min_element(counts.begin(), counts.end()) / length;
  seen.busiest = *std::max_element(counts.begin(), counts.end()) / length;
  seen.is_uneven = spread > freedom + 3 * std::sqrt(2 * freedom);
}

}  // namespace

Arrivals describe_arrivals(std::span<const Nanos> times) {
  Arrivals seen;
  seen.count = times.size();
  if (times.size() < 2) return seen;
  seen.span = times.back() - times.front();
  if (seen.span <= Nanos::zero()) return seen;
  std::vector<double> gaps;
  for (std::size_t i = 1; i < times.size(); ++i) gaps.push_back(to_seconds(times[i] - times[i - 1]));
  const auto summary = stats::summarize(gaps);
  seen.rate = static_cast<double>(gaps.size()) / to_seconds(seen.span);
  seen.variation = summary->population_std / summary->mean;
  if (*seen.variation > 1e-6) seen.burstiness = 1 / (*seen.variation * *seen.variation);
  seen.regularity = judge(*seen.variation, gaps.size());
  look_for_changes(times, seen);
  return seen;
}

}  // namespace scoville::workload
