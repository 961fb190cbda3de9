#include "endpoint/schedule.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace scoville::endpoint {
namespace {

using namespace std::chrono_literals;

const Instant kStart(Nanos(1'000'000'007));

std::vector<Nanos> offsets(const plan::Script& script, std::size_t events, std::uint64_t request = 0,
                           std::uint64_t prompt_tokens = 0) {
  Schedule schedule(script, request, kStart, prompt_tokens);
  std::vector<Nanos> found;
  for (std::size_t i = 0; i < events; ++i) found.push_back(schedule.next() - kStart);
  return found;
}

plan::Script script_of(const char* text) { return plan::parse_script(text).value(); }

}  // namespace

TEST_CASE("event k is due at ttft + k itl, to the nanosecond and without drift") {
  const auto due = offsets(script_of("ttft=50ms,itl=333us"), 10001);
  CHECK(due[0] == 50ms);
  CHECK(due[1] == 50'333us);
  CHECK(due[10000] == 50ms + 10000 * 333us);
}

TEST_CASE("each prompt token adds its prefill time to the first event") {
  CHECK(offsets(script_of("ttft=5ms,itl=1ms,prefill=10us"), 2, 0, 300) == std::vector<Nanos>{8ms, 9ms});
}

TEST_CASE("a stall shifts the events behind it") {
  const auto due = offsets(script_of("ttft=5ms,itl=1ms,stall_at=2,stall_for=100ms"), 4);
  CHECK(due == std::vector<Nanos>{5ms, 6ms, 107ms, 108ms});
  CHECK(offsets(script_of("ttft=5ms,itl=1ms,stall_at=0,stall_for=100ms"), 1).front() == 105ms);
}

TEST_CASE("jitter stays within its bound, does not add up and keeps the order") {
  const auto due = offsets(script_of("ttft=50ms,itl=10ms,jitter=8ms"), 2000);
  Nanos widest{};
  for (std::size_t k = 0; k < due.size(); ++k) {
    const Nanos off = due[k] - (50ms + static_cast<std::int64_t>(k) * 10ms);
    CHECK(off >= -8ms);
    CHECK(off <= 8ms);
    widest = std::max(widest, off);
    if (k > 0) CHECK(due[k] >= due[k - 1]);
  }
  CHECK(widest > 7ms);
}

TEST_CASE("draws have the given mean, whatever their distribution") {
  // Standard error of the mean of 20,000 gaps: sd/√n, sd ≤ 10 ms for all three, so 5 of them are 0.36 ms.
  for (const char* text : {"ttft=0s,itl=10ms,itl_dist=exponential", "ttft=0s,itl=10ms,itl_dist=uniform",
                           "ttft=0s,itl=10ms,itl_dist=lognormal"}) {
    CAPTURE(text);
    const auto due = offsets(script_of(text), 20001);
    CHECK(to_millis(due.back()) / 20000 == doctest::Approx(10).epsilon(0.036));
    CHECK(due[2] - due[1] != due[1] - due[0]);
  }
}

TEST_CASE("a request draws the same schedule whenever it comes, another request another one") {
  const auto script = script_of("itl_dist=exponential,ttft_dist=lognormal,seed=5");
  CHECK(offsets(script, 50, 3) == offsets(script, 50, 3));
  CHECK(offsets(script, 50, 3) != offsets(script, 50, 4));
  CHECK(offsets(script, 50, 3) != offsets(script_of("itl_dist=exponential,ttft_dist=lognormal,seed=6"), 50, 3));
}

}  // namespace scoville::endpoint
