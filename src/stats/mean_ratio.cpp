#include "stats/mean_ratio.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/distributions.hpp"
#include "stats/finite.hpp"
#include "stats/logs.hpp"
#include "stats/quantile.hpp"
#include "stats/summary.hpp"

namespace scoville::stats {
namespace {

struct Arm {
  double mean = 0;
  double square_error = 0;  // s² / n
  double freedom = 0;
};

std::optional<Arm> arm_of(std::span<const double> runs) {
  const auto summary = summarize(runs);
  if (!summary || !summary->sample_std) return std::nullopt;
  const auto n = static_cast<double>(runs.size());
  return Arm{summary->mean, *summary->sample_std * *summary->sample_std / n, n - 1};
}

double welch_freedom(const Arm& a, const Arm& b) {
  const double sum = a.square_error + b.square_error;
  const double parts = a.square_error * a.square_error / a.freedom + b.square_error * b.square_error / b.freedom;
  return parts > 0 ? sum * sum / parts : a.freedom + b.freedom;
}

std::optional<double> median_of(std::span<const double> runs) {
  std::vector<double> sorted(runs.begin(), runs.end());
  std::ranges::sort(sorted);
  return linear_quantile(sorted, 0.5);
}

}  // namespace

std::optional<Estimate> geometric_mean_ratio(std::span<const double> base, std::span<const double> other,
                                             double level) {
  const auto log_base = logs(base), log_other = logs(other);
  if (!log_base || !log_other || !(level > 0 && level < 1)) return std::nullopt;
  const auto a = arm_of(*log_base), b = arm_of(*log_other);
  if (!a || !b) return std::nullopt;
  const double shift = b->mean - a->mean;
  const double half = student_t_two_sided(level, welch_freedom(*a, *b)) * std::sqrt(a->square_error + b->square_error);
  return exponential({shift, CoveredInterval{shift - half, shift + half, level}});
}

std::optional<Estimate> mean_ratio(std::span<const double> base, std::span<const double> other, double level) {
  if (!logs(base) || !logs(other) || !(level > 0 && level < 1)) return std::nullopt;
  const auto a = arm_of(base), b = arm_of(other);
  if (!a || !b) return std::nullopt;
  const double t = student_t_two_sided(level, a->freedom + b->freedom);
  const double product = a->mean * b->mean;
  const double below = a->mean * a->mean - t * t * a->square_error;
  const double above = b->mean * b->mean - t * t * b->square_error;
  Estimate ratio{b->mean / a->mean, std::nullopt};
  if (!std::isfinite(ratio.value)) return std::nullopt;
  const double root = std::sqrt(std::max(0.0, product * product - below * above));
  const double lower = (product - root) / below, upper = (product + root) / below;
  if (below > 0 && std::isfinite(lower) && std::isfinite(upper)) ratio.interval = {lower, upper, level};
  return ratio;
}

std::optional<double> median_ratio(std::span<const double> base, std::span<const double> other) {
  if (!logs(base) || !logs(other)) return std::nullopt;
  const auto below = median_of(base), above = median_of(other);
  if (!below || !above) return std::nullopt;
  return if_finite(*above / *below);
}

}  // namespace scoville::stats
