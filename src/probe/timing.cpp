#include "probe/timing.hpp"

#include <algorithm>
#include <cmath>

#include "base/clock.hpp"

namespace scoville::probe {
namespace {

using Spans = std::vector<double>;

double nanos_between(Instant begin, Instant end) { return static_cast<double>((end - begin).count()); }

/// Linear between the two nearest ranks. `sorted` is not empty.
double quantile(const Spans& sorted, double p) {
  const double at = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

class Stopwatch {
 public:
  Stopwatch(const Subject& subject, const ClockReader& clock) : subject_(subject), clock_(clock) {}

  /// `calls` calls and one synchronisation.
  double time(std::size_t calls) const {
    const Instant begin = clock_();
    for (std::size_t i = 0; i < calls; ++i) subject_.call();
    subject_.synchronise();
    return nanos_between(begin, clock_());
  }
  double cold() const {
    subject_.flush();
    subject_.synchronise();
    return time(1);
  }
  /// (T(2K) - T(K)) / K. A difference that is not positive is no time: the plain mean then stands for it.
  double hot(std::size_t calls) const {
    const double once = time(calls);
    if (subject_.is_synchronous) return once / static_cast<double>(calls);
    const double twice = time(2 * calls);
    const double difference = (twice - once) / static_cast<double>(calls);
    return difference > 0 ? difference : twice / static_cast<double>(2 * calls);
  }
  Instant now() const { return clock_(); }

 private:
  const Subject& subject_;
  const ClockReader& clock_;
};

/// Returns the time of the last call; `first` gets that of the first.
double warm_up(const Stopwatch& watch, const TimingPlan& plan, double& first) {
  const Instant begin = watch.now();
  first = watch.time(1);
  double before = first, last = first;
  for (std::size_t calls = 1; calls < 1000; ++calls) {
    const bool is_long_enough = watch.now() - begin >= plan.warm_up;
    const bool agree = std::abs(last - before) <= 0.1 * before;
    if (calls >= 3 && is_long_enough && agree) break;
    if (calls >= 3 && watch.now() - begin >= std::max(4 * plan.warm_up, plan.most_time)) break;
    before = last;
    last = watch.time(1);
  }
  return last;
}

bool is_steady(const Timing& timing, double limit) {
  if (timing.median <= 0) return false;
  return timing.stdev < limit * timing.mean || timing.iqr < 2 * limit * timing.median;
}

}  // namespace

Timing summarize(Spans samples) {
  Timing timing;
  std::ranges::sort(samples);
  timing.samples = samples.size();
  timing.min = samples.front();
  timing.p5 = quantile(samples, 0.05);
  timing.median = quantile(samples, 0.5);
  timing.p95 = quantile(samples, 0.95);
  timing.iqr = quantile(samples, 0.75) - quantile(samples, 0.25);
  double sum = 0, squares = 0;
  for (const double each : samples) sum += each;
  timing.mean = sum / static_cast<double>(samples.size());
  for (const double each : samples) squares += (each - timing.mean) * (each - timing.mean);
  timing.stdev = samples.size() > 1 ? std::sqrt(squares / static_cast<double>(samples.size() - 1)) : 0;
  timing.is_noisy = timing.iqr > 0.1 * timing.median;
  return timing;
}

Timing measure(const Subject& subject, const TimingPlan& plan, const ClockReader& clock) {
  const Stopwatch watch(subject, clock);
  double first = 0;
  const double call = std::max(1.0, warm_up(watch, plan, first));
  const double wanted = static_cast<double>(plan.sample.count()) / call;
  const std::size_t calls = plan.heat == Heat::cold ? 1 : static_cast<std::size_t>(std::clamp(wanted, 1.0, 1e6));
  Spans samples;
  Timing timing;
  const Instant begin = watch.now();
  while (samples.size() < plan.most_samples) {
    samples.push_back(plan.heat == Heat::cold ? watch.cold() : watch.hot(calls));
    const Nanos spent = watch.now() - begin;
    if (samples.size() >= 3 && spent >= plan.most_time) break;
    if (samples.size() < plan.least_samples || spent < plan.least_time) continue;
    timing = summarize(samples);
    if (is_steady(timing, plan.steady)) break;
  }
  timing = summarize(samples);
  timing.is_steady = samples.size() >= plan.least_samples && is_steady(timing, plan.steady);
  timing.heat = plan.heat;
  timing.calls_per_sample = calls;
  timing.is_difference = plan.heat == Heat::hot && !subject.is_synchronous;
  timing.first_call = first;
  return timing;
}

Timing measure(const Subject& subject, const TimingPlan& plan) { return measure(subject, plan, scoville::now); }

json::object timing_json(const Timing& timing) {
  return {{"mode", timing.heat == Heat::hot ? "hot" : "cold"},
          {"n", timing.samples},
          {"k", timing.calls_per_sample},
          {"difference", timing.is_difference},
          {"first_call_ns", timing.first_call},
          {"min_ns", timing.min},
          {"p5_ns", timing.p5},
          {"median_ns", timing.median},
          {"p95_ns", timing.p95},
          {"mean_ns", timing.mean},
          {"stdev_ns", timing.stdev},
          {"iqr_ns", timing.iqr},
          {"noisy", timing.is_noisy},
          {"steady", timing.is_steady},
          {"timer", timing.timer}};
}

}  // namespace scoville::probe
