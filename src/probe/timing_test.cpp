#include "probe/timing.hpp"

#include <doctest/doctest.h>

using namespace scoville;
using namespace scoville::probe;

namespace {

/// A device whose calls take `call` each and whose synchronisation takes `sync`, on a clock of its own.
struct FakeDevice {
  Nanos time{};
  Nanos call{1000};
  Nanos sync{50000};
  Nanos first_extra{};
  std::size_t calls = 0, flushes = 0;

  Subject subject() {
    return {[this] {
              time += call + (calls == 0 ? first_extra : Nanos(0));
              ++calls;
            },
            [this] { time += sync; }, [this] { ++flushes; }};
  }
  ClockReader clock() {
    return [this] { return Instant(time); };
  }
};

}  // namespace

TEST_CASE("a hot time is that of the call alone: what synchronising costs cancels") {
  FakeDevice device;
  const Timing timing = measure(device.subject(), {}, device.clock());
  CHECK(timing.median == doctest::Approx(1000));
  CHECK(timing.stdev == doctest::Approx(0));
  CHECK(timing.is_steady);
  CHECK_FALSE(timing.is_noisy);
  CHECK(timing.samples == 10);
}

TEST_CASE("calls that return when the work is done are timed as they are: a difference would double the noise") {
  FakeDevice device;
  device.sync = Nanos(0);
  Subject subject = device.subject();
  subject.is_synchronous = true;
  const Timing timing = measure(subject, {}, device.clock());
  CHECK(timing.median == doctest::Approx(1000));
  CHECK_FALSE(timing.is_difference);
  CHECK(device.calls <
        70000);  // 100 ms of warm-up are 2e5 / 2 of them at most; ten samples of 5 ms are 50000, not 150000
}

TEST_CASE("what the first call costs beside its work is told apart") {
  FakeDevice device;
  device.first_extra = Nanos(2'000'000);
  const Timing timing = measure(device.subject(), {}, device.clock());
  CHECK(timing.first_call == doctest::Approx(2'000'000 + 1000 + 50000));
  CHECK(timing.median == doctest::Approx(1000));
}

TEST_CASE("a cold sample is one call after a flush, its synchronisation included") {
  FakeDevice device;
  TimingPlan plan;
  plan.heat = Heat::cold;
  const Timing timing = measure(device.subject(), plan, device.clock());
  CHECK(timing.calls_per_sample == 1);
  CHECK(timing.median == doctest::Approx(51000));
  CHECK(device.flushes == timing.samples);
}

TEST_CASE("time that is up ends the samples, and it is said that they were not steady") {
  FakeDevice device;
  device.call = std::chrono::milliseconds(700);
  TimingPlan plan;
  plan.warm_up = Nanos(0);
  const Timing timing = measure(device.subject(), plan, device.clock());
  CHECK(timing.samples == 3);
  CHECK_FALSE(timing.is_steady);
}

TEST_CASE("figures of five samples, by hand") {
  const Timing timing = summarize({5, 1, 3, 2, 4});
  CHECK(timing.min == 1);
  CHECK(timing.median == 3);
  CHECK(timing.mean == 3);
  CHECK(timing.stdev == doctest::Approx(1.5811388));  // sqrt(10 / 4)
  CHECK(timing.iqr == doctest::Approx(2));            // 4 - 2
  CHECK(timing.p5 == doctest::Approx(1.2));           // 1 + 0.2 (2 - 1)
  CHECK(timing.is_noisy);
}
