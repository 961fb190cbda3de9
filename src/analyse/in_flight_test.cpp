#include "analyse/in_flight.hpp"

#include <doctest/doctest.h>

#include "analyse/made_record.hpp"

namespace scoville::analyse {
namespace {

Window window_ms(double from, double to) { return {at_ms(from), at_ms(to)}; }

}  // namespace

TEST_CASE("a slot handed on at the same instant is one slot, not two") {
  const auto records = list_of(answered(0, {5}, 10), answered(10, {15}, 20));
  const InFlight in_flight(pointers(records));
  CHECK(in_flight.peak(window_ms(0, 20)) == 1);
  CHECK(in_flight.mean(window_ms(0, 20)) == doctest::Approx(1));
}

TEST_CASE("the mean is over time: 4 for 10 s and 1 for 10 s are 2.5") {
  auto records = list_of(answered(0, {1}, 20000));
  for (int i = 0; i < 3; ++i) records.push_back(answered(0, {1}, 10000));
  const InFlight in_flight(pointers(records));
  CHECK(in_flight.mean(window_ms(0, 20000)) == doctest::Approx(2.5));
  CHECK(in_flight.mean(window_ms(5000, 10000)) == doctest::Approx(4));
  CHECK(in_flight.mean(window_ms(0, 40000)) == doctest::Approx(1.25));  // nothing afterwards
  CHECK(in_flight.mean(window_ms(7, 7)) == 0);
}

TEST_CASE("the peak is that of the window alone") {
  const auto records = list_of(answered(0, {1}, 10), answered(0, {1}, 10), answered(20, {21}, 30));
  const InFlight in_flight(pointers(records));
  CHECK(in_flight.peak(window_ms(0, 30)) == 2);
  CHECK(in_flight.peak(window_ms(10, 30)) == 1);
  CHECK(in_flight.peak(window_ms(12, 18)) == 0);
}

TEST_CASE("a failed request was in flight until its failure was seen; one that was never written, never") {
  auto records = list_of(failure(0, 10, event::Failure::reset), failure(0, 50, event::Failure::connect));
  records[1].written = Moment();
  const InFlight in_flight(pointers(records));
  CHECK(in_flight.peak(window_ms(0, 50)) == 1);
  CHECK(in_flight.mean(window_ms(0, 20)) == doctest::Approx(0.5));
}

TEST_CASE("a request whose reset had arrived by the time of its write takes no slot and breaks no count") {
  const auto records = list_of(failure(2, 1, event::Failure::reset), answered(5, {6}, 10));
  const InFlight in_flight(pointers(records));
  CHECK(in_flight.peak(window_ms(0, 10)) == 1);
  CHECK(in_flight.mean(window_ms(0, 10)) == doctest::Approx(0.5));
}

TEST_CASE("the steady part reaches from the first to the last moment at the level asked for") {
  const auto records = list_of(answered(0, {1}, 40), answered(10, {11}, 20), answered(20, {21}, 30));
  const auto found = InFlight(pointers(records)).at_least(1.9, window_ms(0, 40));
  REQUIRE(found.has_value());
  CHECK(found->from == at_ms(10));
  CHECK(found->to == at_ms(30));
}

TEST_CASE("the steady part keeps to the window that was measured") {
  const auto records = list_of(answered(0, {1}, 40), answered(10, {11}, 30));
  const auto found = InFlight(pointers(records)).at_least(1.9, window_ms(15, 25));
  REQUIRE(found.has_value());
  CHECK(found->from == at_ms(15));
  CHECK(found->to == at_ms(25));
}

TEST_CASE("a level that was never reached, or left for most of the time between, gives no steady part") {
  const auto records = list_of(answered(0, {1}, 100), answered(0, {1}, 10), answered(90, {91}, 100));
  CHECK_FALSE(InFlight(pointers(records)).at_least(3, window_ms(0, 100)).has_value());
  CHECK_FALSE(InFlight(pointers(records)).at_least(1.9, window_ms(0, 100)).has_value());  // mean 1.2
  CHECK_FALSE(InFlight({}).at_least(1, window_ms(0, 100)).has_value());
}

}  // namespace scoville::analyse
