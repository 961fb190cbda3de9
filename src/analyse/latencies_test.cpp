#include "analyse/latencies.hpp"

#include <doctest/doctest.h>

#include "analyse/gap_pool.hpp"
#include "analyse/made_record.hpp"

namespace scoville::analyse {
namespace {

using event::Failure;
using event::Flag;

std::vector<Nanos> values(const std::vector<Sample>& samples) {
  std::vector<Nanos> list;
  for (const Sample& each : samples) list.push_back(each.value);
  return list;
}

}  // namespace

TEST_CASE("a latency counts from the due time where a schedule exists, from the write where none does") {
  auto records = list_of(answered(150, {250}, 300), answered(150, {250}, 300));
  records[0].due = at_ms(100);
  CHECK(values(ttft(pointers(records), Zero::by_rule)) == std::vector<Nanos>{ms(150), ms(100)});
  CHECK(values(ttft(pointers(records), Zero::written)) == std::vector<Nanos>{ms(100), ms(100)});
  CHECK(values(e2e(pointers(records), Zero::by_rule)) == std::vector<Nanos>{ms(200), ms(150)});
  CHECK(values(e2e(pointers(records), Zero::written)) == std::vector<Nanos>{ms(150), ms(150)});
}

TEST_CASE("TTFT counts to the first token in any channel, TTFA to the first of the answer") {
  auto records = list_of(answered(0, {100, 200, 300}, 310));
  records[0].first_answer = at_ms(300);  // two events of reasoning before it
  CHECK(values(ttft(pointers(records), Zero::by_rule)) == std::vector<Nanos>{ms(100)});
  CHECK(values(ttfa(pointers(records), Zero::by_rule)) == std::vector<Nanos>{ms(300)});
}

TEST_CASE("a quick failure improves no latency: it is not among them") {
  const auto records = list_of(answered(0, {100, 110}, 1000), failure(0, 5, Failure::http_status));
  const Records list = pointers(records);
  for (const auto& samples : {ttft(list, Zero::by_rule), ttfa(list, Zero::by_rule), e2e(list, Zero::by_rule),
                              e2e(list, Zero::written), tpot(list), ntpot(list)}) {
    CHECK(samples.size() == 1);
  }
  CHECK(filled(GapPool(2), records).metric({0.5}).n == 1);
}

TEST_CASE("a failure in mid-stream leaves no latency either, although its first token came") {
  auto records = list_of(answered(0, {100, 110}, 1000), answered(0, {5, 6}, 7));
  records[1].failure = Failure::truncated;
  CHECK(values(ttft(pointers(records), Zero::by_rule)) == std::vector<Nanos>{ms(100)});
  CHECK(filled(GapPool(2), records).metric({0.5}).at(0.5)->value == ms(10));
}

TEST_CASE("a time-out counts with the time it was given: a bound where the event never came") {
  auto records = list_of(failure(0, 60000, Failure::timeout_request), failure(0, 60000, Failure::timeout_idle));
  records[1].first_token = at_ms(400);
  const auto first = ttft(pointers(records), Zero::by_rule), whole = e2e(pointers(records), Zero::by_rule);
  REQUIRE(first.size() == 2);
  CHECK(first[0].value == ms(60000));
  CHECK(first[0].is_censored);
  CHECK(first[1].value == ms(400));
  CHECK_FALSE(first[1].is_censored);
  REQUIRE(whole.size() == 2);
  CHECK(whole[1].value == ms(60000));
  CHECK(whole[1].is_censored);
}

TEST_CASE("an answer that somebody collected has E2E alone") {
  for (const Flag flag : {Flag::burst_stream, Flag::not_streamed}) {
    auto records = list_of(answered(0, {1000, 1000, 1001}, 1001));
    records[0].flags.set(flag);
    const Records list = pointers(records);
    CHECK_FALSE(is_streamed(records[0]));
    CHECK(ttft(list, Zero::by_rule).empty());
    CHECK(ttfa(list, Zero::by_rule).empty());
    CHECK(tpot(list).empty());
    CHECK(filled(GapPool(1), records).metric({}).n == 0);
    CHECK(values(e2e(list, Zero::by_rule)) == std::vector<Nanos>{ms(1001)});
  }
}

TEST_CASE("a success without a token has no TTFT, and NTPOT does not divide by 0") {
  const auto records = list_of(answered(0, {}, 50));
  CHECK(ttft(pointers(records), Zero::by_rule).empty());
  CHECK(ntpot(pointers(records)).empty());
}

TEST_CASE("NTPOT divides the end-to-end time by all tokens, TPOT the time after the first by those after it") {
  const auto records = list_of(answered(0, {100, 150, 200, 250}, 400));  // case MEAS-16
  CHECK(values(ntpot(pointers(records))) == std::vector<Nanos>{ms(100)});
  CHECK(values(tpot(pointers(records))) == std::vector<Nanos>{ms(50)});
}

TEST_CASE("gaps are pooled over requests, none between them") {
  const auto records = list_of(answered(0, {10, 20, 40}, 40), answered(0, {100, 103}, 110));
  const Metric metric = filled(GapPool(2), records).metric({0.01, 0.5, 0.99});
  CHECK(metric.n == 3);
  CHECK(metric.at(0.01)->value == ms(3));
  CHECK(metric.at(0.5)->value == ms(10));
  CHECK(metric.at(0.99)->value == ms(20));
  CHECK(metric.mean == ms(11));
}

}  // namespace scoville::analyse
