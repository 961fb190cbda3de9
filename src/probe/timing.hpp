#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/units.hpp"

namespace scoville::probe {

/// What is timed. `call` may return before the device has done the work; `synchronise` returns after it.
struct Subject {
  std::function<void()> call;
  std::function<void()> synchronise = [] {};
  std::function<void()> flush = [] {};  ///< makes the caches cold; not timed
  bool is_synchronous = false;          ///< a call returns when the work is done: there is nothing to cancel
};

/// Hot: K calls back to back. Cold: one call after each flush.
enum class Heat { hot, cold };

struct TimingPlan {
  Heat heat = Heat::hot;
  Nanos warm_up = std::chrono::milliseconds(100);  ///< and at least three calls, until two differ by less than 10 %
  Nanos sample = std::chrono::milliseconds(5);     ///< K is chosen so that K calls take about this long
  std::size_t least_samples = 10;
  std::size_t most_samples = 1000;
  Nanos least_time{};  ///< of all samples together
  Nanos most_time = std::chrono::seconds(1);
  double steady = 0.005;  ///< enough: relative standard deviation below this, or IQR / median below twice this
};

/// Times of one call, in nanoseconds, and how they were come by.
struct Timing {
  Heat heat = Heat::hot;
  std::size_t samples = 0;
  std::size_t calls_per_sample = 1;  ///< K; a sample is (T(2K) - T(K)) / K when hot: launch and synchronisation cancel
  bool is_difference = false;        ///< else it is T(K) / K, as of synchronous calls, or one cold call
  double first_call = 0;             ///< with compilation, autotuning, allocation
  double min = 0, p5 = 0, median = 0, p95 = 0, mean = 0, stdev = 0, iqr = 0;
  bool is_noisy = false;   ///< IQR above 10 % of the median
  bool is_steady = false;  ///< the stop rule was met before time or samples ran out
  std::string timer = "steady_clock";
};

/// Tells the time; tests hand in a clock of their own.
using ClockReader = std::function<Instant()>;

/// One way of timing for every probe: warm-up by time and calls, samples until they are steady, hot samples by the
/// difference of two lengths, robust figures. docs/method.md, "Timing a device".
Timing measure(const Subject& subject, const TimingPlan& plan, const ClockReader& clock);
Timing measure(const Subject& subject, const TimingPlan& plan);

/// Keys as in docs/formats/probe.md.
json::object timing_json(const Timing& timing);
/// Of sample times in nanoseconds per call. Precondition: not empty.
Timing summarize(std::vector<double> samples);

}  // namespace scoville::probe
