#include "stats/batch_means.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/autocorrelation.hpp"
#include "stats/distributions.hpp"
#include "stats/finite.hpp"
#include "stats/quantile.hpp"
#include "stats/summary.hpp"

namespace scoville::stats {
namespace {

constexpr double kFewestBeyondQuantile = 2;

template <class Statistic>
std::optional<BatchInterval> interval_of(std::span<const double> series, double level, std::size_t batches,
                                         Statistic statistic) {
  const std::size_t n = series.size();
  if (batches < kFewestBatches || n / batches < kFewestInBatch) return std::nullopt;
  if (!(level > 0 && level < 1) || !all_finite(series)) return std::nullopt;

  std::vector<double> parts;
  parts.reserve(batches);
  for (std::size_t i = 0; i < batches; ++i) {
    const std::size_t from = i * n / batches, to = (i + 1) * n / batches;
    parts.push_back(statistic(series.subspan(from, to - from)));
  }
  return batch_interval(statistic(series), parts, level);
}

}  // namespace

std::optional<BatchInterval> batch_interval(double whole, std::span<const double> batches, double level) {
  if (batches.size() < kFewestBatches || !(level > 0 && level < 1)) return std::nullopt;
  double squares = 0;
  for (const double each : batches) squares += (each - whole) * (each - whole);
  const double b = static_cast<double>(batches.size());
  const double half = student_t_two_sided(level, b - 1) * std::sqrt(squares / (b - 1) / b);
  if (!std::isfinite(whole - half) || !std::isfinite(whole + half)) return std::nullopt;
  return BatchInterval{whole, whole - half, whole + half, batches.size(), lag1_autocorrelation(batches)};
}

std::optional<BatchInterval> batch_mean_interval(std::span<const double> series, double level, std::size_t batches) {
  return interval_of(series, level, batches,
                     [](std::span<const double> part) { return mean(part).value_or(HUGE_VAL); });
}

std::optional<BatchInterval> batch_quantile_interval(std::span<const double> series, double p, double level,
                                                     std::size_t batches) {
  if (!(p > 0 && p < 1) || batches == 0) return std::nullopt;
  // A whole number on paper (5,000 · 0.01) may come out a hair below it.
  const double thin_side = std::min(p, 1 - p) * static_cast<double>(series.size() / batches);
  if (thin_side < kFewestBeyondQuantile * (1 - 1e-9)) return std::nullopt;
  std::vector<double> copy;
  return interval_of(series, level, batches, [&](std::span<const double> part) {
    copy.assign(part.begin(), part.end());
    const auto at = copy.begin() + static_cast<std::ptrdiff_t>(*nearest_rank(copy.size(), p) - 1);
    std::ranges::nth_element(copy, at);
    return *at;
  });
}

}  // namespace scoville::stats
