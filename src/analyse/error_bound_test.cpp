#include "analyse/error_bound.hpp"

#include <doctest/doctest.h>

#include "analyse/made_calibration.hpp"
#include "analyse/made_record.hpp"

namespace scoville::analyse {
namespace {
using namespace std::chrono_literals;

constexpr CalibrationSetting kPlain{1, Transport::tcp};
const Window kTwoSeconds{at_ms(0), at_ms(2000)};

/// 10 µs up to 1,000 events a second.
Calibration ten_micros() {
  Calibration made;
  made.made = 5s;
  made.points = {calibrated(kPlain, 1000, 10us)};
  return made;
}

/// Five tokens 100 ms apart, written in 3 µs, their widths 1, 2, 4, 8, 16 µs, the end's 32 µs.
event::RequestRecord five_tokens() {
  event::RequestRecord record = answered(0, every(100, 5, 100), 600);
  record.write_took = 3us;
  for (std::size_t i = 0; i < 5; ++i) record.tokens[i].width_ns = 1000U << i;
  record.end_width_ns = 32000;
  return record;
}

ErrorBound bound_of(const std::vector<event::RequestRecord>& records, const Window& window = kTwoSeconds) {
  ErrorPool pool(window);
  for (const auto& each : records) pool.add(each, true);
  const Calibration calibration = ten_micros();
  return pool.bound(&calibration, kPlain, Instrument());
}

}  // namespace

TEST_CASE("without a schedule the write's own duration is in the bound of what counts from it") {
  const ErrorBound bound = bound_of(list_of(five_tokens()));
  CHECK(bound.reason == NoBound::none);
  CHECK(bound.arrival == 10us);
  CHECK(bound.calibrated == 5s);
  CHECK(bound.ttft == 14us);  // write 3 + first event 1 + calibrated 10
  CHECK(bound.e2e == 45us);   // 3 + 32 + 10
}

TEST_CASE("a due time is exact") {
  auto record = five_tokens();
  record.due = at_ms(0);
  const ErrorBound bound = bound_of(list_of(record));
  CHECK(bound.ttft == 11us);
  CHECK(bound.e2e == 42us);
}

TEST_CASE("a gap errs by both its events and twice the calibrated error, and by the grid it is kept on") {
  CHECK(bound_of(list_of(five_tokens())).icl == 24us + 20us + 1500ns);  // the widest pair: 8 + 16
}

TEST_CASE("TPOT divides the error of its two ends by the tokens between them") {
  CHECK(bound_of(list_of(five_tokens())).tpot == 9250ns);  // (1 + 16 + 2 · 10) ÷ (5 − 1)
  auto longer = five_tokens();
  longer.n_out = 38;  // several tokens an event
  CHECK(bound_of(list_of(longer)).tpot == 1us);
}

TEST_CASE("the interval that counts is its P99 over the requests") {
  std::vector<event::RequestRecord> records(100, five_tokens());
  records[0].tokens[0].width_ns = 900'000;
  CHECK(bound_of(records, {at_ms(0), at_ms(20000)}).ttft == 14us);  // one in a hundred may be wider
  records[1].tokens[0].width_ns = 900'000;
  CHECK(bound_of(records, {at_ms(0), at_ms(20000)}).ttft == 913us);
}

TEST_CASE("requests that count in no latency are in no bound, but their events load the client") {
  auto broken = five_tokens();
  broken.failure = event::Failure::truncated;
  broken.tokens[0].width_ns = 900'000;
  ErrorPool pool(kTwoSeconds);
  pool.add(five_tokens(), true);
  pool.add(broken, true);
  pool.add(five_tokens(), false);  // warm-up
  const Calibration calibration = ten_micros();
  const ErrorBound bound = pool.bound(&calibration, kPlain, Instrument());
  CHECK(bound.ttft == 14us);
  CHECK(bound.events_per_s == doctest::Approx(15));  // all in the first of the two seconds
}

TEST_CASE("a stream that somebody collected has an end, and no times of its tokens") {
  auto record = five_tokens();
  record.flags.set(event::Flag::burst_stream);
  const ErrorBound bound = bound_of(list_of(record));
  CHECK(bound.e2e.has_value());
  CHECK_FALSE(bound.ttft.has_value());
  CHECK_FALSE(bound.icl.has_value());
  CHECK_FALSE(bound.tpot.has_value());
}

TEST_CASE("the rate that is looked up is that of the busiest whole second, or the mean of a shorter run") {
  const auto record = answered(0, {100, 200, 1100, 1200, 1300, 2100}, 2200);
  CHECK(bound_of(list_of(record), {at_ms(0), at_ms(2200)}).events_per_s == doctest::Approx(3));
  CHECK(bound_of(list_of(five_tokens()), {at_ms(0), at_ms(500)}).events_per_s == doctest::Approx(10));
  // Seconds of two and nothing: never below the mean, which the part of a second at the end may raise.
  CHECK(bound_of(list_of(answered(0, {100, 1100, 1200, 1300, 1350}, 1400)), {at_ms(0), at_ms(1400)}).events_per_s ==
        doctest::Approx(5 / 1.4));
}

TEST_CASE("a rate beyond the calibrated one has no bound, and says so") {
  std::vector<event::RequestRecord> records(201, five_tokens());  // 1,005 events in one second
  const ErrorBound bound = bound_of(records);
  CHECK(bound.reason == NoBound::beyond_rate);
  CHECK_FALSE(bound.ttft.has_value());
  CHECK(bound.calibrated == 5s);
  CHECK(bound.events_per_s == doctest::Approx(1005));
}

TEST_CASE("no bound without a calibration, without events, without the stamps it was made with, or as the bottleneck") {
  ErrorPool pool(kTwoSeconds);
  const Calibration calibration = ten_micros();
  CHECK(pool.bound(&calibration, kPlain, Instrument()).reason == NoBound::no_events);
  pool.add(five_tokens(), true);
  CHECK(pool.bound(nullptr, kPlain, Instrument()).reason == NoBound::not_calibrated);
  Instrument instrument;
  instrument.has_kernel_stamps = false;
  CHECK(pool.bound(&calibration, kPlain, instrument).reason == NoBound::no_stamps);
  instrument.verdict = Verdict::bottleneck;
  CHECK(pool.bound(&calibration, kPlain, instrument).reason == NoBound::bottleneck);
  CHECK(pool.bound(&calibration, {2, Transport::tcp}, Instrument()).reason == NoBound::other_threads);
}

}  // namespace scoville::analyse
