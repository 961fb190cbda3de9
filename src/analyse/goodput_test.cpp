#include "analyse/goodput.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>

#include "analyse/made_record.hpp"

namespace scoville::analyse {
namespace {
using namespace std::chrono_literals;

/// An answer of 101 tokens with this TTFT and TPOT.
event::RequestRecord paced(double ttft, double tpot) {
  event::RequestRecord record = answered(0, {ttft, ttft + 100 * tpot}, ttft + 100 * tpot);
  record.n_out = 101;
  return record;
}

plan::Limits limits_of(Nanos ttft, Nanos tpot) {
  plan::Limits limits;
  limits.ttft = ttft;
  limits.tpot = tpot;
  return limits;
}

const plan::Limits kLimits = limits_of(500ms, 50ms);

}  // namespace

TEST_CASE("T-GP-1: 4 of 8 attempted requests are good, 1 a second, where 1.75 a second succeeded") {
  auto records = list_of(paced(180, 32), paced(240, 41), paced(900, 30), paced(210, 65), paced(150, 38), paced(300, 49),
                         paced(199, 50), paced(205, 50.1));
  records[4].failure = event::Failure::stream_error;
  const auto figure = goodput(pointers(records), kLimits, 4s);
  REQUIRE(figure.has_value());
  CHECK(figure->counts.good == 4);
  CHECK(figure->counts.missed == 3);
  CHECK(figure->counts.failed == 1);
  CHECK(figure->counts.attainment == 0.5);
  CHECK(figure->counts.goodput == 1.0);
  CHECK(figure->counts.throughput == 1.75);
}

TEST_CASE("T-CP-1: 192 good of 200 show 92.3 to 98.3 %, and only at least 92.9 %") {
  std::vector<event::RequestRecord> records;
  for (int i = 0; i < 200; ++i) records.push_back(paced(i % 25 != 24 ? 100 : 501, 10));
  const auto figure = goodput(pointers(records), kLimits, 10s);
  REQUIRE(figure.has_value());
  REQUIRE(figure->interval.has_value());
  CHECK(std::fabs(figure->interval->lower - 0.922708) < 5e-7);
  CHECK(std::fabs(figure->interval->upper - 0.982575) < 5e-7);
  CHECK(std::fabs(*figure->at_least - 0.928986) < 5e-7);
}

TEST_CASE("a limit that is just met is met") {
  const auto records = list_of(paced(500, 50));
  CHECK(goodput(pointers(records), kLimits, 1s)->counts.good == 1);
}

TEST_CASE("TTFT and E2E count from the due time: a request that left late is not good because the server was quick") {
  auto records = list_of(paced(600, 1));
  records[0].written = at_ms(590);
  records[0].due = at_ms(0);
  CHECK(goodput(pointers(records), kLimits, 1s)->counts.missed == 1);
}

TEST_CASE("an answer of one token meets a limit on TPOT: nothing was slow") {
  auto records = list_of(answered(0, {100}, 100));
  CHECK(goodput(pointers(records), kLimits, 1s)->counts.good == 1);
}

TEST_CASE("a stream that was collected on its way is not good: its TPOT of 0 says nothing") {
  for (const event::Flag flag : {event::Flag::burst_stream, event::Flag::not_streamed}) {
    auto records = list_of(paced(400, 0));
    records[0].flags.set(flag);
    CHECK(goodput(pointers(records), kLimits, 1s)->counts.unmeasured == 1);
    CHECK(goodput(pointers(records), kLimits, 1s)->counts.good == 0);
  }
}

TEST_CASE("a request that timed out is not good, however early its first token came") {
  auto records = list_of(failure(0, 60000, event::Failure::timeout_request));
  records[0].first_token = at_ms(50);
  CHECK(goodput(pointers(records), kLimits, 1s)->counts.failed == 1);
}

TEST_CASE("without limits there is no goodput") {
  CHECK_FALSE(goodput(pointers(list_of(paced(100, 10))), {}, 1s).has_value());
}

namespace {

/// 400 requests, one a second, of which `is_good` are within the limits.
std::optional<GoodputFigure> in_turn(const std::function<bool(std::size_t)>& is_good) {
  std::vector<event::RequestRecord> records;
  for (std::size_t i = 0; i < 400; ++i) {
    const double at = 1000 * static_cast<double>(i);
    records.push_back(answered(at, {at + (is_good(i) ? 100 : 900), at + 1000}, at + 1000));
    records.back().n_out = 101;
  }
  return goodput(pointers(records), kLimits, 400s);
}

}  // namespace

TEST_CASE("bad requests in short streaks: bounds come from batches, and are wider than the exact ones") {
  // Every twenty requests begin with bad ones: two and six in turn.
  const auto figure = in_turn([](std::size_t i) { return i % 20 >= (i / 20 % 2 == 0 ? 2u : 6u); });
  REQUIRE(figure);
  CHECK(figure->counts.attainment == doctest::Approx(0.8));
  CHECK(*figure->effective_n < 200);
  CHECK(figure->method == AttainmentMethod::batch_means);
  // 20 batches of 20 with shares 0.9 and 0.7 in turn: sd 0.1 · √(20/19) = 0.10260, over √20: 0.022942; t(0.975; 19) =
  // 2.093024.
  REQUIRE(figure->interval);
  CHECK(figure->interval->lower == doctest::Approx(0.8 - 2.093024 * 0.0229416).epsilon(1e-4));
  CHECK(figure->interval->upper == doctest::Approx(0.8 + 2.093024 * 0.0229416).epsilon(1e-4));
  CHECK(*figure->at_least == doctest::Approx(0.8 - 1.729133 * 0.0229416).epsilon(1e-4));
}

TEST_CASE("one long streak: no batch is long enough, and the bounds are withheld") {
  const auto figure = in_turn([](std::size_t i) { return i < 300; });
  REQUIRE(figure);
  CHECK(figure->method == AttainmentMethod::none);
  CHECK_FALSE(figure->interval);
  CHECK_FALSE(figure->at_least);
  CHECK_FALSE(figure->fan_out[0].at_least);
}

TEST_CASE("fan-out: 98 % of calls are 81.7 % of applications with ten, 13.3 % with a hundred; 99 % takes 99.8995 %") {
  const auto figure = in_turn([](std::size_t i) { return i % 50 != 25; });
  REQUIRE(figure);
  CHECK(figure->counts.attainment == doctest::Approx(0.98));
  CHECK(figure->method == AttainmentMethod::clopper_pearson);
  REQUIRE(figure->fan_out.size() == 2);
  CHECK(figure->fan_out[0].calls == 10);
  CHECK(figure->fan_out[0].attainment == doctest::Approx(0.817073).epsilon(1e-5));  // 0.98^10
  CHECK(figure->fan_out[0].each_needs == doctest::Approx(0.998995).epsilon(1e-6));
  CHECK(figure->fan_out[1].attainment == doctest::Approx(0.132620).epsilon(1e-5));  // 0.98^100
  CHECK(*figure->fan_out[0].at_least < figure->fan_out[0].attainment);
}

}  // namespace scoville::analyse
