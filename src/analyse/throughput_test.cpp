#include "analyse/throughput.hpp"

#include <doctest/doctest.h>

#include "analyse/made_record.hpp"
#include "analyse/token_rate.hpp"

namespace scoville::analyse {
namespace {

using event::Failure;

Window window_ms(double from, double to) { return {at_ms(from), at_ms(to)}; }

Throughput rates_of(const std::vector<event::RequestRecord>& records, double seconds) {
  return filled(ThroughputSums(window_ms(0, seconds * 1000), std::nullopt), records).rates();
}

}  // namespace

TEST_CASE("tokens fall to a window by the counts of their events where the server tells them") {
  auto record = answered(0, {100, 200, 300}, 300);
  record.n_out = 9;
  record.tokens[0].tokens = 1;
  record.tokens[1].tokens = 2;
  record.tokens[2].tokens = 6;
  CHECK(tokens_within(record, window_ms(0, 250)) == doctest::Approx(3));
  CHECK(tokens_within(record, window_ms(250, 400)) == doctest::Approx(6));
}

TEST_CASE("tokens of uncounted events are spread evenly over them") {
  auto record = answered(0, {100, 200, 300}, 300);
  record.n_out = 9;
  record.tokens[0].tokens = 1;  // one count alone is no count
  CHECK(tokens_within(record, window_ms(0, 250)) == doctest::Approx(6));
}

TEST_CASE("counts that contradict the total keep their proportions, and the total stands") {
  auto record = answered(0, {100, 200}, 200);
  record.n_out = 8;
  record.tokens[0].tokens = 1;
  record.tokens[1].tokens = 3;  // 4 in all
  CHECK(tokens_within(record, window_ms(0, 150)) == doctest::Approx(2));
  CHECK(tokens_within(record, window_ms(0, 200)) == doctest::Approx(8));
  record.tokens[0].tokens = record.tokens[1].tokens = 0;
  CHECK(tokens_within(record, window_ms(0, 150)) == doctest::Approx(4));
}

TEST_CASE("an answer without events counts its tokens at its end") {
  auto record = answered(0, {}, 500);
  record.n_out = 10;
  CHECK(tokens_within(record, window_ms(0, 499)) == 0);
  CHECK(tokens_within(record, window_ms(0, 500)) == doctest::Approx(10));
}

TEST_CASE("rates count successes by their time in the window, output by arrival, prompts at the first token") {
  auto records = list_of(answered(0, {500, 1000}, 1000), answered(0, {1500, 2500}, 2500));
  records[0].prompt_tokens = records[1].prompt_tokens = 7;
  const Throughput rates = rates_of(records, 2);
  CHECK(rates.requests_per_s.full == doctest::Approx(0.9));       // all of one and 2000/2500 of the other in 2 s
  CHECK(rates.output_tokens_per_s.full == doctest::Approx(1.5));  // 3 in 2 s
  CHECK(rates.total_tokens_per_s.full == doctest::Approx(8.5));   // 3 + 14 in 2 s
  CHECK_FALSE(rates.requests_per_s.steady.has_value());
}

TEST_CASE("the steady rate is that of its own window") {
  auto records = list_of(answered(0, {500, 1000, 1500, 2000}, 2000));
  const Throughput rates = filled(ThroughputSums(window_ms(0, 4000), window_ms(750, 1750)), records).rates();
  CHECK(rates.output_tokens_per_s.full == doctest::Approx(1));
  CHECK(rates.output_tokens_per_s.steady == doctest::Approx(2));
  CHECK(rates.requests_per_s.steady == doctest::Approx(0.5));  // half of it in 1 s
}

TEST_CASE("failures add nothing to a rate, not even the tokens that came before") {
  auto records = list_of(answered(0, {500}, 1000), answered(0, {500, 600}, 1000), failure(0, 5, Failure::http_status));
  records[1].failure = Failure::truncated;
  CHECK(rates_of(records, 1).requests_per_s.full == doctest::Approx(1));
  CHECK(rates_of(records, 1).output_tokens_per_s.full == doctest::Approx(1));
}

TEST_CASE("one answer whose tokens are not known makes the token rates unknown, not too low") {
  auto records = list_of(answered(0, {500}, 1000), answered(0, {500}, 1000));
  records[0].prompt_tokens = records[1].prompt_tokens = 7;
  records[1].n_out.reset();
  CHECK(rates_of(records, 1).requests_per_s.full == doctest::Approx(2));
  CHECK_FALSE(rates_of(records, 1).output_tokens_per_s.full.has_value());
  CHECK_FALSE(rates_of(records, 1).total_tokens_per_s.full.has_value());
}

TEST_CASE("a prompt of unknown length leaves the output rate alone") {
  auto records = list_of(answered(0, {500}, 1000));
  CHECK(rates_of(records, 1).output_tokens_per_s.full == doctest::Approx(1));
  CHECK_FALSE(rates_of(records, 1).total_tokens_per_s.full.has_value());
}

TEST_CASE("a window without length has no rate") {
  const auto records = list_of(answered(0, {0}, 0));
  CHECK_FALSE(rates_of(records, 0).requests_per_s.full.has_value());
}

TEST_CASE("a last bin of half a bin or more is scaled by its own length") {
  // case MEAS-15: 25, 30, 20 and 15 chunks of 4 tokens, the last 15 in half a second
  const auto records = list_of(answered(0, every(10, 100, 5), 1000), answered(1000, every(10, 60, 1005), 1500));
  CHECK(filled(TokenRates(window_ms(0, 1500), ms(1000)), records).per_second() == std::vector<double>{100, 100});
}

TEST_CASE("the last tokens of a run, alone in a sliver of a bin, do not become its peak") {
  const auto records = list_of(answered(0, every(10, 100, 10), 1000), answered(0, {1001}, 1001));
  const auto rates = filled(TokenRates(window_ms(0, 1001), ms(1000)), records).per_second();
  REQUIRE(rates.size() == 1);
  CHECK(rates[0] == doctest::Approx(101 / 1.001));  // not 1 token in 1 ms = 1000/s
}

TEST_CASE("the peak is never below the mean, however the bins fall") {
  for (int length = 100; length < 4000; length += 37) {
    const auto records = list_of(answered(0, every(7, static_cast<std::size_t>(length / 7), 7), length));
    const auto rates = filled(TokenRates(window_ms(0, length), ms(1000)), records).per_second();
    const Throughput all = rates_of(records, length / 1000.0);
    CAPTURE(length);
    CHECK(*peak_rate(rates) >= *all.output_tokens_per_s.full * (1 - 1e-12));
  }
  CHECK_FALSE(peak_rate({}).has_value());
}

TEST_CASE("answers that are no text: prompt tokens per second are known, output tokens are not defined") {
  ThroughputSums sums({at_ms(0), at_ms(2000)}, std::nullopt);
  for (const double end : {500.0, 1500.0}) {
    event::RequestRecord record = answered(end - 100, {}, end);
    record.n_out.reset();
    record.n_out_source = event::CountSource::not_applicable;
    record.prompt_tokens = 300;
    sums.add(record);
  }
  const Throughput rates = sums.rates();
  CHECK(rates.requests_per_s.full == doctest::Approx(1));
  CHECK_FALSE(rates.output_tokens_per_s.full.has_value());
  CHECK(rates.total_tokens_per_s.full == doctest::Approx(300));
}

}  // namespace scoville::analyse
