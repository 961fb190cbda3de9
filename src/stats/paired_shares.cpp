#include "stats/paired_shares.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stats/distributions.hpp"

namespace scoville::stats {
namespace {

constexpr int kHalvings = 200;

struct Cells {
  double both, base_only, other_only, neither, n;
};

Cells cells_of(const PairedCounts& counts) {
  const auto real = [](std::uint64_t count) { return static_cast<double>(count); };
  return {real(counts.both), real(counts.base_only), real(counts.other_only), real(counts.neither),
          real(counts.pairs())};
}

/// How many standard deviations the counts lie above what they should be; where nothing may vary, all or none.
double standardised(double excess, double variance) {
  if (variance > 0) return excess / std::sqrt(variance);
  if (excess == 0) return 0;
  return excess > 0 ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
}

/// Score of "other's share is `ratio` times base's". With v = P(other only) / P(base) the likelihood under that
/// constraint has its maximum at the larger root of a v² + b v + c = 0; base's share is then (1 - neither) / (1 + v).
double ratio_score(const Cells& x, double ratio) {
  const double a = -((1 + ratio) * x.both + ratio * x.base_only + x.other_only);
  const double b = -x.both * (1 - ratio * ratio) + x.base_only * ratio * ratio + x.other_only * (2 * ratio - 1);
  const double c = x.other_only * ratio * (1 - ratio);
  const double root = (-b - std::sqrt(std::max(0.0, b * b - 4 * a * c))) / (2 * a);
  const double v = std::clamp(root, std::max(0.0, ratio - 1), ratio);
  const double base = (x.n - x.neither) / x.n / (1 + v);
  const double discordant = base * (1 - ratio + 2 * v);
  return standardised(x.both + x.other_only - ratio * (x.both + x.base_only), x.n * ratio * discordant);
}

/// Score of "other's share lies `difference` above base's", with Tango's constrained estimate of P(base only).
double difference_score(const Cells& x, double difference) {
  const double a = 2 * x.n;
  const double b = -x.other_only - x.base_only + (2 * x.n - x.other_only + x.base_only) * difference;
  const double c = -x.base_only * difference * (1 - difference);
  const double base_only = (std::sqrt(std::max(0.0, b * b - 4 * a * c)) - b) / (2 * a);
  return standardised(x.other_only - x.base_only - x.n * difference,
                      x.n * (2 * base_only + difference * (1 - difference)));
}

/// Where a score that falls from `from` to `to` passes `level`.
template <class Score>
double crossing(const Score& score, double from, double to, double level) {
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (from + to) / 2;
    (score(middle) > level ? from : to) = middle;
  }
  return from;
}

bool is_answerable(const PairedCounts& counts, double level) { return counts.pairs() > 0 && level > 0 && level < 1; }

}  // namespace

std::optional<Interval> share_difference(const PairedCounts& counts, double level) {
  if (!is_answerable(counts, level)) return std::nullopt;
  const Cells x = cells_of(counts);
  const double limit = normal_two_sided(level);
  const auto score = [&](double difference) { return difference_score(x, difference); };
  return Interval{crossing(score, -1, 1, limit), crossing(score, -1, 1, -limit)};
}

std::optional<Interval> share_ratio(const PairedCounts& counts, double level) {
  if (!is_answerable(counts, level) || counts.base() == 0) return std::nullopt;
  const Cells x = cells_of(counts);
  const double limit = normal_two_sided(level);
  // Over s = r / (1 + r), which takes every ratio into (0, 1).
  const auto score = [&](double s) { return ratio_score(x, s / (1 - s)); };
  const auto ratio = [](double s) { return s < 1 ? s / (1 - s) : std::numeric_limits<double>::infinity(); };
  const double lower = counts.other() == 0 ? 0 : crossing(score, 0, 1, limit);
  return Interval{ratio(lower), ratio(crossing(score, 0, 1, -limit))};
}

std::optional<double> pairs_to_settle(const PairedCounts& counts, double ratio, double level) {
  if (!is_answerable(counts, level) || counts.base() == 0 || ratio <= 0) return std::nullopt;
  const double score = ratio_score(cells_of(counts), ratio), limit = normal_two_sided(level);
  if (score == 0) return std::nullopt;
  const auto n = static_cast<double>(counts.pairs());
  return std::max(n, std::ceil(n * limit * limit / (score * score)));
}

}  // namespace scoville::stats
