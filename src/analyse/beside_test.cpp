#include "analyse/beside.hpp"

#include <doctest/doctest.h>

#include "analyse/analysis.hpp"
#include "analyse/made_record.hpp"

namespace scoville::analyse {
namespace {

using event::RequestRecord;

/// Due at `due`, written so much later; ten tokens.
RequestRecord sent(double due_ms, double late_ms, std::uint32_t turn = 0) {
  RequestRecord record = answered(due_ms + late_ms, every(10, 10, due_ms + late_ms + 50), due_ms + late_ms + 200);
  record.due = at_ms(due_ms);
  record.turn = turn;
  return record;
}

Records pointers(const std::vector<RequestRecord>& records) {
  Records out;
  for (const RequestRecord& each : records) out.push_back(&each);
  return out;
}

TEST_CASE("lateness is written − due over requests with a recorded time, and the last is the one due last") {
  std::vector<RequestRecord> records{sent(0, 1), sent(300, 3), sent(100, 2), sent(200, 40)};
  records[3].was_held = true;
  records.push_back(sent(900, 500, 1));  // a later turn: no recorded time
  const auto late = lateness(pointers(records));
  REQUIRE(late);
  CHECK(late->n == 4);
  CHECK(late->p50 == std::chrono::milliseconds(2));  // rank ⌈4 · 0.5⌉ of 1, 2, 3, 40
  CHECK(late->p99 == std::chrono::milliseconds(40));
  CHECK(late->largest == std::chrono::milliseconds(40));
  CHECK(late->of_last == std::chrono::milliseconds(3));
  CHECK(late->held == 1);
  CHECK(!lateness({}));
}

TEST_CASE("turns are told apart by themselves up to the second, then by doubling classes") {
  std::vector<RequestRecord> records;
  for (std::uint32_t turn = 0; turn < 6; ++turn) {
    records.push_back(sent(turn * 1000.0, 0, turn));
    records.back().prompt_tokens = 100 * (turn + 1);
    records.back().cached_tokens = 100 * turn;
  }
  records.push_back(sent(0, 0));
  records.back().prompt_tokens = 300;
  const auto talks = conversations(pointers(records), 2, default_quantiles());
  REQUIRE(talks);
  CHECK(talks->begun == 2);
  CHECK(talks->requests == 7);
  CHECK(talks->most_turns == 6);
  CHECK(talks->not_sent == 2);
  REQUIRE(talks->turns.size() == 4);
  CHECK(talks->turns[0].n == 2);
  CHECK(*talks->turns[0].mean_prompt_tokens == 200);  // 100 and 300
  CHECK(*talks->turns[0].cached_share == 0);          // of those who say it
  CHECK(talks->turns[2].from == 3);
  CHECK(talks->turns[2].to == 4);
  CHECK(*talks->turns[2].cached_share == doctest::Approx(500.0 / 700));
  CHECK(talks->turns[3].from == 5);
  CHECK(talks->turns[3].to == 8);
  CHECK(talks->turns[3].n == 2);
}

TEST_CASE("requests that nobody follows are no conversations, unless a failure ended some") {
  const std::vector<RequestRecord> records{sent(0, 0), sent(10, 0)};
  CHECK(!conversations(pointers(records), 0, default_quantiles()));
  CHECK(conversations(pointers(records), 3, default_quantiles()));
}

TEST_CASE("chosen requests are counted by what became of them, and load the server without being in any figure") {
  run::RunResult run;
  plan::LoadPlan plan;
  plan.arrivals.rate = 10;
  plan.cancel = {0.5, std::chrono::milliseconds(80)};
  for (int i = 0; i < 4; ++i) run.add(sent(i * 100, 0));
  for (int i = 0; i < 3; ++i) {
    RequestRecord record = sent(i * 100, 0);
    record.is_to_cancel = true;
    if (i < 2) {
      record.failure = event::Failure::cancelled;
      record.end = Moment();
      record.failed_at = *record.written + std::chrono::milliseconds(80);
    }
    run.add(std::move(record));
  }
  const Analysis analysis = analyse(run, plan, {}).value();
  CHECK(analysis.attempted == 4);
  CHECK(analysis.succeeded == 4);
  CHECK(analysis.latency(Latency::ttft).n == 4);
  REQUIRE(analysis.cancelled);
  CHECK(analysis.cancelled->chosen == 3);
  CHECK(analysis.cancelled->given_up == 2);
  CHECK(analysis.cancelled->ended_first == 1);
  CHECK(analysis.in_flight_peak == 3);  // at 100 … 180 ms: two of the load, one that was chosen
}

TEST_CASE("the probe has its own latencies, counted from due") {
  run::RunResult run;
  plan::LoadPlan plan;
  plan.max_concurrency = 2;
  plan.probe_rate = 3;
  run.add(answered(0, every(10, 10, 50), 200));
  for (int i = 0; i < 2; ++i) {
    RequestRecord record = sent(100.0 * i, 10);
    record.is_probe = true;
    run.add(std::move(record));
  }
  const Analysis analysis = analyse(run, plan, {}).value();
  CHECK(analysis.attempted == 1);
  REQUIRE(analysis.probe);
  CHECK(analysis.probe->attempted == 2);
  CHECK(analysis.probe->succeeded == 2);
  CHECK(*analysis.probe->ttft.mean == std::chrono::milliseconds(60));  // 10 late, 50 to the first token
  CHECK(*analysis.probe->e2e.largest == std::chrono::milliseconds(210));
  const bool is_said = std::any_of(analysis.warnings.begin(), analysis.warnings.end(),
                                   [](const Warning& each) { return each.code == Doubtful::probe_few; });
  CHECK(is_said);
}

TEST_CASE("what a trace offered is told by the times of the part that was replayed") {
  run::RunResult run;
  plan::LoadPlan plan;
  plan.arrivals.rate = 77;  // of the whole trace
  plan.arrivals.trace_speed = 50;
  for (int i = 0; i < 5; ++i) run.add(sent(i * 250, 0));
  const Analysis analysis = analyse(run, plan, {}).value();
  CHECK(*analysis.offered_per_s == doctest::Approx(4.0));  // four gaps in one second
  REQUIRE(analysis.lateness);
}

}  // namespace
}  // namespace scoville::analyse
