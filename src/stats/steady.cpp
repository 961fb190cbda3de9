#include "stats/steady.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/autocorrelation.hpp"
#include "stats/finite.hpp"
#include "stats/quantile.hpp"
#include "stats/ranks.hpp"
#include "stats/summary.hpp"

namespace scoville::stats {
namespace {

constexpr std::size_t kMostWindows = 10;
constexpr std::size_t kFewestInWindow = 4;
constexpr double kMoreParameters = 2;

SteadyWindow none_found(SteadyWindow found, NoWindow reason) {
  found.verdict = SteadyVerdict::not_found;
  found.reason = reason;
  found.first = found.last = 0;
  return found;
}

/// Means of equal windows; the samples that do not fill one are left out at the start, where warm-up would linger. Too
/// few samples for five windows are taken one by one.
std::vector<double> window_means(std::span<const double> samples) {
  if (samples.size() < kFewestSteadySamples) return {samples.begin(), samples.end()};
  const std::size_t windows = std::min(kMostWindows, samples.size() / kFewestInWindow);
  const std::size_t length = samples.size() / windows;
  const auto used = samples.last(windows * length);
  std::vector<double> means;
  for (std::size_t i = 0; i < windows; ++i) means.push_back(mean(used.subspan(i * length, length)).value_or(0));
  return means;
}

/// `change` as a share of the size of `level`.
std::optional<double> relative(double change, double level) { return if_finite(change / std::fabs(level)); }

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return linear_quantile(values, 0.5).value_or(0);
}

/// Sum of squares around the least-squares line.
double squares_around_line(std::span<const double> values) {
  const double n = static_cast<double>(values.size()), centre = (n - 1) / 2, level = mean(values).value_or(0);
  double squares = 0, products = 0, at = -centre;
  for (const double value : values) {
    squares += (value - level) * (value - level);
    products += (value - level) * at;
    at += 1;
  }
  const double time_squares = n * (n * n - 1) / 12;
  return squares - products * products / time_squares;
}

/// What is left of each value once its level, before or after the step, is taken off.
std::vector<double> off_levels(std::span<const double> values, const StepChange& step) {
  std::vector<double> rest(values.begin(), values.end());
  for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= i < step.first_segment ? step.mean_before : step.mean_after;
  return rest;
}

void measure_trend(std::span<const double> samples, SteadyWindow& found) {
  const auto means = window_means(samples);
  found.windows = means.size();
  found.trend = mann_kendall(means);
  const auto slope = theil_sen_slope(means);
  if (slope) found.drift = relative(*slope * static_cast<double>(means.size()), median(means));
}

/// The split that leaves the smallest sum of squares around two means, that is, the largest n1 n2 (m1 - m2)².
StepChange moved_to_best_split(std::span<const double> samples, StepChange step) {
  const double n = static_cast<double>(samples.size()), level = mean(samples).value_or(0);
  double sum = 0, best = -1;  // of what stands before the split, from the mean of all
  for (std::size_t split = 1; split < samples.size(); ++split) {
    sum += samples[split - 1] - level;
    const double before = static_cast<double>(split);
    const double between = sum * sum / (before * (n - before));
    if (between <= best) continue;
    best = between;
    step.first_segment = split;
    step.mean_before = level + sum / before;
    step.mean_after = level - sum / (n - before);
  }
  return step;
}

void measure_step(std::span<const double> samples, SteadyWindow& found) {
  found.step = pettitt(samples);
  if (!found.step) return;
  // K leans towards the middle of the series: the test is Pettitt's, the place that of least squares.
  found.step = moved_to_best_split(samples, *found.step);
  found.jump = relative(found.step->mean_after - found.step->mean_before, found.step->mean_before);
  // Neighbours that follow each other are worth n_eff values; the exponent of p goes with their number. r1 is that of
  // ranks, as in Hamed and Rao (1998): a step found a few samples off its place leaves outliers, which would pass for
  // memory.
  const auto rest = mid_ranks(off_levels(samples, *found.step));
  const double r1 = std::max(0.0, lag1_autocorrelation(rest).value_or(0));
  found.step_p = std::min(1.0, 2 * std::pow(found.step->p / 2, (1 - r1) / (1 + r1)));
}

bool has_trend(const SteadyWindow& found, const SteadyRule& rule) {
  return found.trend && found.drift && found.trend->p < rule.significance && std::fabs(*found.drift) > rule.margin;
}

bool has_step(const SteadyWindow& found, const SteadyRule& rule) {
  return found.step_p && found.jump && *found.step_p < rule.significance && std::fabs(*found.jump) > rule.margin;
}

/// Whether two levels describe `samples` better than one line, by the Bayesian information criterion: they have two
/// more parameters, the second level and its place.
bool levels_beat_line(std::span<const double> samples, const StepChange& step) {
  double around_levels = 0;
  for (const double rest : off_levels(samples, step)) around_levels += rest * rest;
  const double n = static_cast<double>(samples.size());
  return around_levels * std::exp(kMoreParameters * std::log(n) / n) < squares_around_line(samples);
}

/// Whether the step found in `samples` says more than a line would, and starts from a plateau rather than from a slope.
bool is_staircase(std::span<const double> samples, const SteadyWindow& found, const SteadyRule& rule) {
  if (!has_step(found, rule) || !levels_beat_line(samples, *found.step)) return false;
  SteadyWindow plateau;
  measure_trend(samples.first(found.step->first_segment), plateau);
  return !has_trend(plateau, rule);
}

SteadyWindow staircase(SteadyWindow found) {
  found.verdict = SteadyVerdict::staircase;
  found.last = found.first + found.step->first_segment;
  return found;
}

SteadyWindow drifting(SteadyWindow found, double change) {
  found.verdict = change > 0 ? SteadyVerdict::drifting_up : SteadyVerdict::drifting_down;
  return found;
}

/// Points 2 to 4 of the rule, on samples [first, last).
SteadyWindow judge(std::span<const double> series, SteadyWindow found, const SteadyRule& rule) {
  const auto kept = series.subspan(found.first, found.last - found.first);
  measure_trend(kept, found);
  measure_step(kept, found);
  if (is_staircase(kept, found, rule)) return staircase(found);
  if (has_trend(found, rule)) return drifting(found, *found.drift);
  if (has_step(found, rule)) return drifting(found, *found.jump);
  found.verdict = SteadyVerdict::steady;
  return found;
}

/// MSER-5 would drop half the data, if not more.
SteadyWindow judge_at_limit(std::span<const double> series, SteadyWindow found, const SteadyRule& rule) {
  const std::size_t half = found.first;
  const auto dropped = mean(series.first(half)), kept = mean(series.subspan(half));
  const auto difference = dropped && kept ? relative(*dropped - *kept, *kept) : std::nullopt;
  if (!difference) return none_found(found, NoWindow::no_level);
  found.first = 0;
  if (std::fabs(*difference) <= rule.margin) return judge(series, found, rule);
  measure_step(series, found);
  if (is_staircase(series, found, rule)) return staircase(found);
  found.first = half;
  if (series.size() - half < kFewestSteadySamples) return none_found(found, NoWindow::too_short);
  found = judge(series, found, rule);
  if (has_trend(found, rule)) return found;
  // The rest of a warm-up looks like memory, so here the step is taken at its full p.
  if (found.step && found.jump) found.step_p = found.step->p;
  return has_step(found, rule) ? none_found(found, NoWindow::over_half) : found;
}

}  // namespace

SteadyWindow find_steady(std::span<const double> series, const SteadyRule& rule) {
  SteadyWindow found;
  if (series.size() < kFewestSteadySamples) return none_found(found, NoWindow::too_short);
  // Once its variance is finite, so is every sum below.
  if (!summarize(series) || median({series.begin(), series.end()}) == 0) return none_found(found, NoWindow::no_level);
  found.truncation = mser5(series);
  if (!found.truncation) return none_found(found, NoWindow::no_level);
  found.first = found.truncation->first_kept;
  found.last = series.size();
  if (found.truncation->at_limit) return judge_at_limit(series, found, rule);
  if (found.last - found.first < kFewestSteadySamples) return none_found(found, NoWindow::too_short);
  return judge(series, found, rule);
}

}  // namespace scoville::stats
