#include "load/due_times.hpp"

#include <doctest/doctest.h>

namespace scoville::load {
namespace {

using std::chrono::milliseconds;

/// Chains at 0, 100, 100 and 350 ms.
class Recorded final : public dataset::PromptSource {
 public:
  dataset::Prompt make(std::uint64_t) const override { return {}; }
  std::optional<Nanos> recorded_at(std::uint64_t number) const override {
    constexpr int times[] = {0, 100, 100, 350};
    if (number >= 4) return std::nullopt;
    return milliseconds(times[number]);
  }
  text::Phrase describe() const override { return {"recorded", "recorded"}; }
  std::uint64_t dataset_hash() const override { return 0; }
};

TEST_CASE("a trace is replayed at its recorded times, and then it is over") {
  const Recorded source;
  plan::Arrivals arrivals;
  arrivals.rate = 9;  // their mean, which draws nothing
  arrivals.trace_speed = 1;
  DueTimes due(arrivals, 0, {}, source);
  CHECK(*due.of(0) == milliseconds(0));
  CHECK(*due.of(1) == milliseconds(100));
  CHECK(*due.of(2) == milliseconds(100));
  CHECK(*due.of(3) == milliseconds(350));
  CHECK(!due.of(4));
}

TEST_CASE("at fifty times the speed every gap is a fiftieth") {
  const Recorded source;
  plan::Arrivals arrivals;
  arrivals.rate = 9;
  arrivals.trace_speed = 50;
  DueTimes due(arrivals, 0, {}, source);
  CHECK(*due.of(1) == milliseconds(2));
  CHECK(*due.of(3) == milliseconds(7));
}

TEST_CASE("threads that ask for every second chain see the schedule of one that asks for all") {
  const Recorded source;
  plan::Arrivals arrivals;
  arrivals.rate = 100;
  arrivals.seed = 7;
  DueTimes all(arrivals, 0, {}, source), odd(arrivals, 0, {}, source);
  for (std::uint64_t number = 0; number < 50; ++number) {
    const Nanos at = *all.of(number);
    if (number % 2 == 1) CHECK(*odd.of(number) == at);
  }
}

}  // namespace
}  // namespace scoville::load
