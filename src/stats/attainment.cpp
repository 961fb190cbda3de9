#include "stats/attainment.hpp"

#include "stats/distributions.hpp"

namespace scoville::stats {
namespace {

bool is_answerable(std::uint64_t successes, std::uint64_t trials, double level) {
  return trials > 0 && successes <= trials && level > 0 && level < 1;
}

double lower_bound(std::uint64_t successes, std::uint64_t trials, double tail) {
  if (successes == 0) return 0;
  return beta_quantile(static_cast<double>(successes), static_cast<double>(trials - successes) + 1, tail);
}

}  // namespace

std::optional<Interval> attainment_interval(std::uint64_t successes, std::uint64_t trials, double level) {
  if (!is_answerable(successes, trials, level)) return std::nullopt;
  const double tail = (1 - level) / 2;
  // Seen from the failures, the upper bound is a lower one; so a share close to 1 keeps its digits.
  return Interval{lower_bound(successes, trials, tail), 1 - lower_bound(trials - successes, trials, tail)};
}

std::optional<double> attainment_at_least(std::uint64_t successes, std::uint64_t trials, double level) {
  if (!is_answerable(successes, trials, level)) return std::nullopt;
  return lower_bound(successes, trials, 1 - level);
}

std::optional<double> attainment_at_least_of(double successes, double trials, double level) {
  if (!(trials > 0 && successes >= 0 && successes <= trials && level > 0 && level < 1)) return std::nullopt;
  if (successes == 0) return 0;
  return beta_quantile(successes, trials - successes + 1, 1 - level);
}

std::optional<double> attainment_at_most_of(double successes, double trials, double level) {
  const std::optional<double> misses = attainment_at_least_of(trials - successes, trials, level);
  if (!misses) return std::nullopt;
  return 1 - *misses;
}

}  // namespace scoville::stats
