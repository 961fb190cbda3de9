#include "wire/stamp.hpp"

#include <doctest/doctest.h>

namespace scoville::wire {
using namespace std::chrono_literals;

TEST_CASE("a stamp is converted with the newest offset, and a step of the wall clock is counted, not measured") {
  ClockOffset offset;
  offset.set(Instant(5s), 100s);
  CHECK(offset.to_monotonic(100s + 3ms) == Instant(5s + 3ms));
  offset.set(Instant(5s + 10ms), 100s + 10ms + 20us);  // drift and preemption are no step
  CHECK(offset.steps() == 0);
  offset.set(Instant(5s + 200ms), 99s + 200ms);  // case MEAS-14: time sync steps the wall clock by −1 s
  CHECK(offset.steps() == 1);
  CHECK(offset.last_step() == -1s - 20us);
  CHECK(offset.to_monotonic(99s + 200ms) == Instant(5s + 200ms));
}

}  // namespace scoville::wire
