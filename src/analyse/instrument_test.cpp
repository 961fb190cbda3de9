#include "analyse/instrument.hpp"

#include <doctest/doctest.h>

#include "analyse/made_record.hpp"

namespace scoville::analyse {
namespace {
using namespace std::chrono_literals;

/// A load thread with nothing to tell.
const std::vector<load::LoaderReport> kOne(1);

/// One request that left `lag` after it was due.
std::vector<event::RequestRecord> late_by(Nanos lag) {
  auto records = list_of(answered(0, {100}, 200));
  records[0].due = at_ms(0);
  records[0].written = at_ms(0) + lag;
  return records;
}

Instrument judge(const std::vector<event::RequestRecord>& records, std::optional<Nanos> median_ttft = std::nullopt) {
  return judge_instrument(pointers(records), filled(ReadingPool(), records), {kOne, std::nullopt}, median_ttft);
}

Instrument judge_busy(Nanos busiest) {
  load::LoaderReport quiet, loaded;
  quiet.busy_seconds.push_back({10ms, 1s});
  loaded.busy_seconds.push_back({20ms, 1s});
  loaded.busy_seconds.push_back({busiest, 1s});
  return judge_instrument({}, {}, {std::vector{quiet, loaded}, std::nullopt}, std::nullopt);
}

/// 200 events 10 ms apart, of which the first `late` came in one read with their neighbour, `lag` after the stamp.
std::vector<event::RequestRecord> merged(std::size_t late, Nanos lag) {
  auto records = list_of(answered(0, every(10, 200, 10), 2010));
  for (std::size_t i = 0; i < late; ++i) {
    records[0].tokens[i].shares_read = true;
    records[0].tokens[i].read_lag_ns = static_cast<std::uint32_t>(lag.count());
  }
  return records;
}

void check(const Instrument& got, Verdict verdict, Doubt reason) {
  CHECK(got.verdict == verdict);
  CHECK(got.reasons == (verdict == Verdict::ok ? std::vector<Doubt>{} : std::vector<Doubt>{reason}));
}

}  // namespace

TEST_CASE("send lag is suspect above 0.5 ms and a bottleneck above 1 ms where TTFT is short") {
  check(judge(late_by(500us)), Verdict::ok, Doubt::send_lag);
  check(judge(late_by(500us + 1ns)), Verdict::suspect, Doubt::send_lag);
  check(judge(late_by(1ms), 20ms), Verdict::suspect, Doubt::send_lag);
  check(judge(late_by(1ms + 1ns), 20ms), Verdict::bottleneck, Doubt::send_lag);
}

TEST_CASE("where TTFT is long, 5 % of its median is what send lag may reach") {
  CHECK(tolerable_send_lag(100ms) == 5ms);
  CHECK(tolerable_send_lag(std::nullopt) == 1ms);
  check(judge(late_by(2500us), 100ms), Verdict::ok, Doubt::send_lag);
  check(judge(late_by(2500us + 1ns), 100ms), Verdict::suspect, Doubt::send_lag);
  check(judge(late_by(5ms), 100ms), Verdict::suspect, Doubt::send_lag);
  check(judge(late_by(5ms + 1ns), 100ms), Verdict::bottleneck, Doubt::send_lag);
}

TEST_CASE("the send lag that is judged is P99: one late request in a hundred is shown, but does not condemn") {
  std::vector<event::RequestRecord> records;
  for (int i = 0; i < 100; ++i) records.push_back(std::move(late_by(i == 0 ? 50ms : 10us)[0]));
  const Instrument one = judge(records);
  CHECK(one.verdict == Verdict::ok);
  CHECK(one.send_lag.p50 == 10us);
  CHECK(one.send_lag.p99 == 10us);
  CHECK(one.send_lag.largest == 50ms);
  records[1].written = at_ms(50);
  CHECK(judge(records).verdict == Verdict::bottleneck);
}

TEST_CASE("a request that waited for a free slot is late by plan: its lag counts from the moment the slot was free") {
  auto records = late_by(900ms);
  records[0].was_held = true;
  records[0].dequeued = *records[0].written - 20us;
  CHECK(judge(records).verdict == Verdict::ok);
  CHECK(judge(records).send_lag.largest == 20us);
}

TEST_CASE("without a schedule the send lag counts from the moment the request was taken up") {
  auto records = list_of(answered(0, {100}, 200));
  records[0].written = at_ms(0) + 30us;
  CHECK(judge(records).send_lag.p99 == 30us);
}

TEST_CASE("without a schedule the time a new connection took is the server's, not the client's") {
  auto records = list_of(answered(0, {100}, 200));
  records[0].connected = at_ms(3);
  records[0].written = at_ms(3) + 20us;
  CHECK(judge(records).send_lag.p99 == 20us);
  records[0].connected = at_ms(-5);  // opened long before: it did not wait
  CHECK(judge(records).send_lag.p99 == 3ms + 20us);
}

TEST_CASE("the busiest second of any thread is suspect above 45 % and a bottleneck above 90 %") {
  check(judge_busy(450ms), Verdict::ok, Doubt::loop_busy);
  check(judge_busy(450ms + 1us), Verdict::suspect, Doubt::loop_busy);
  check(judge_busy(900ms), Verdict::suspect, Doubt::loop_busy);
  check(judge_busy(900ms + 1us), Verdict::bottleneck, Doubt::loop_busy);
  CHECK(judge_busy(600ms).loop_busy_share == doctest::Approx(0.6));
  CHECK(judge_busy(600ms).loop_busy_mean == doctest::Approx(0.21));  // (10 + 20 + 600) ms of 3 s
}

TEST_CASE("events merged by our own lateness are suspect above 0.5 % and a bottleneck above 1 %") {
  check(judge(merged(1, 6ms)), Verdict::ok, Doubt::late_merged);
  check(judge(merged(2, 6ms)), Verdict::suspect, Doubt::late_merged);
  check(judge(merged(3, 6ms)), Verdict::bottleneck, Doubt::late_merged);
  CHECK(judge(merged(3, 6ms)).late_merged_share == doctest::Approx(0.015));
}

TEST_CASE("events that shared a stamp in a timely read were merged by others, and are reported apart") {
  const Instrument got = judge(merged(200, 5ms));  // just half of the stream's gap
  CHECK(got.verdict == Verdict::ok);
  CHECK(got.late_merged_share == 0);
  CHECK(got.merged_share == 1);
}

TEST_CASE("a stream that came in bursts of its own says nothing about our lateness") {
  auto records = merged(200, 6ms);
  for (auto& each : records[0].tokens) each.at = at_ms(100);
  CHECK(judge(records).late_merged_share == 0);
}

TEST_CASE("stolen CPU time is suspect above 2.5 % and a bottleneck above 5 %") {
  const auto judge_steal = [](double share) { return judge_instrument({}, {}, {kOne, share}, std::nullopt); };
  check(judge_steal(0.025), Verdict::ok, Doubt::steal);
  check(judge_steal(0.0251), Verdict::suspect, Doubt::steal);
  check(judge_steal(0.05), Verdict::suspect, Doubt::steal);
  check(judge_steal(0.0501), Verdict::bottleneck, Doubt::steal);
}

TEST_CASE("a client that ran out of descriptors, ports or memory was the bottleneck") {
  const auto records = list_of(answered(0, {100}, 200), failure(0, 1, event::Failure::client_resource));
  check(judge(records), Verdict::bottleneck, Doubt::client_resource);
}

TEST_CASE("records that were dropped make the client the bottleneck, and a client that could not report is suspect") {
  check(judge_instrument({}, {}, {kOne, std::nullopt, 1}, std::nullopt), Verdict::bottleneck, Doubt::drops);
  check(judge_instrument({}, {}, {{}, std::nullopt}, std::nullopt), Verdict::suspect, Doubt::not_recorded);
}

TEST_CASE("several faults are all named, and the worst decides") {
  const auto late = late_by(600us);
  const Instrument got = judge_instrument(pointers(late), {}, {kOne, 0.06}, std::nullopt);
  CHECK(got.verdict == Verdict::bottleneck);
  CHECK(got.reasons == std::vector<Doubt>{Doubt::send_lag, Doubt::steal});
}

TEST_CASE("over several threads queues and steps are the worst, connections and CPU time the sum") {
  load::LoaderReport one, two;
  one.peak_waiting_for_connection = 3;
  one.connections_opened = 10;
  one.cpu = 1s;
  two.clock_steps = 2;
  two.connections_opened = 5;
  two.cpu = 2s;
  two.has_kernel_stamps = false;
  const Instrument got = judge_instrument({}, {}, {std::vector{one, two}, std::nullopt}, std::nullopt);
  CHECK(got.queue_depth == 3);
  CHECK(got.clock_steps == 2);
  CHECK(got.connections_opened == 15);
  CHECK(got.cpu == 3s);
  CHECK_FALSE(got.has_kernel_stamps);
}

TEST_CASE("a run without requests has no lags, rather than lags of 0") {
  const Instrument got = judge({});
  CHECK_FALSE(got.send_lag.p99.has_value());
  CHECK_FALSE(got.read_lag.p99.has_value());
  CHECK_FALSE(got.late_merged_share.has_value());
  CHECK_FALSE(got.loop_busy_share.has_value());
}

}  // namespace scoville::analyse
