#include "report/vllm_arrays.hpp"

#include <doctest/doctest.h>

#include "analyse/made_record.hpp"

namespace scoville::report {
namespace {

using analyse::answered;
using analyse::at_ms;
using doctest::Approx;

run::RunResult run_of(std::vector<event::RequestRecord> records) {
  run::RunResult run;
  run.records = std::move(records);
  return run;
}

VllmRequest only(event::RequestRecord record) {
  return vllm_requests(run_of(analyse::list_of(std::move(record)))).value().at(0);
}

}  // namespace

TEST_CASE("a request's clock starts at the write, its first token is the first with text, its end the last chunk") {
  event::RequestRecord record = answered(100, {150, 160, 180}, 190);
  record.due = at_ms(40);           // vLLM's client knows no due time
  record.first_chunk = at_ms(120);  // names a role, no text
  record.last_chunk = at_ms(185);   // finish_reason, no text
  const VllmRequest request = only(std::move(record));
  CHECK(request.start == Approx(0.1));
  CHECK(request.ttft == Approx(0.05));
  CHECK(request.latency == Approx(0.085));
  REQUIRE(request.itl.size() == 2);
  CHECK(request.itl[0] == Approx(0.01));
  CHECK(request.itl[1] == Approx(0.02));
  CHECK(*vllm_tpot(request) == Approx(0.0175));  // (85 − 50) / (3 − 1) ms
  CHECK(request.queue == 0);
}

TEST_CASE("a request that the cap held was queued from due to taken up, one that was merely late was not") {
  event::RequestRecord record = answered(200, {230}, 230);
  record.due = at_ms(150);
  record.dequeued = at_ms(199);
  CHECK(only(analyse::answered(200, {230}, 230)).queue == 0);
  record.was_held = true;
  CHECK(only(std::move(record)).queue == Approx(0.049));
}

TEST_CASE("an answer without text is timed by its chunks, one without chunks by its end") {
  event::RequestRecord chunks = answered(0, {}, 70);
  chunks.first_chunk = at_ms(30);
  chunks.last_chunk = at_ms(60);
  const VllmRequest timed = only(std::move(chunks));
  CHECK(timed.ttft == Approx(0.03));
  CHECK(timed.latency == Approx(0.06));
  const VllmRequest whole = only(answered(0, {}, 70));
  CHECK(whole.ttft == Approx(0.07));
  CHECK(whole.latency == Approx(0.07));
}

TEST_CASE("a failed request keeps its place with zeros and its words") {
  event::RequestRecord failed = analyse::failure(300, 310, event::Failure::http_status);
  failed.index = 1;
  failed.http_status = 503;
  failed.error_message = "busy";
  failed.asked_prompt_tokens = 64;
  const auto requests = vllm_requests(run_of(analyse::list_of(std::move(failed), answered(100, {150}, 150)))).value();
  REQUIRE(requests.size() == 2);  // by index, not by time of arrival
  CHECK(requests[0].succeeded);
  CHECK(requests[0].error.empty());
  CHECK_FALSE(requests[1].succeeded);
  CHECK(requests[1].ttft == 0);
  CHECK(requests[1].latency == 0);
  CHECK(requests[1].itl.empty());
  CHECK(requests[1].output_tokens == 0);
  CHECK(requests[1].input_tokens == 64);
  CHECK(requests[1].start == Approx(0.3));
  CHECK(requests[1].error == "http_status 503: busy");
}

TEST_CASE("unknown counts stay unknown; the server's count of the prompt goes before the one asked for") {
  event::RequestRecord record = answered(0, {10, 20}, 20);
  record.n_out.reset();
  CHECK_FALSE(only(std::move(record)).output_tokens);
  event::RequestRecord counted = answered(0, {10, 20}, 20);
  counted.asked_prompt_tokens = 100;
  counted.prompt_tokens = 103;
  CHECK(only(std::move(counted)).input_tokens == 103);
  CHECK_FALSE(only(answered(0, {10}, 10)).input_tokens);
  CHECK_FALSE(vllm_tpot(only(answered(0, {10}, 10))));  // n = 1 has none
}

TEST_CASE("the texts of the first choice are taken where they were kept") {
  event::RequestRecord record = answered(0, {10}, 10);
  record.text = std::make_unique<event::RequestText>();
  record.text->answers = {"first", "second"};
  CHECK(only(std::move(record)).text == "first");
  CHECK(only(answered(0, {10}, 10)).text.empty());
}

TEST_CASE("most tokens in a second, events weighted by the tokens they brought") {
  // First start 0.1 s. A: 0.05 s, 1.05 s after it, 3 tokens an event. B: three single tokens at 0.95 s.
  event::RequestRecord a = answered(100, {150, 1150}, 1150);
  a.n_out = 6;
  auto requests =
      vllm_requests(run_of(analyse::list_of(std::move(a), answered(500, {1050, 1050, 1050}, 1050)))).value();
  CHECK(most_tokens_per_s(requests) == Approx(6));  // second 0: 3 + 3
  requests[0].output_tokens.reset();                // unknown: one an event
  CHECK(most_tokens_per_s(requests) == Approx(4));
  CHECK(most_tokens_per_s({}) == 0);
}

TEST_CASE("most in flight: touching is not overlapping, failures do not count") {
  const auto most = [](std::vector<event::RequestRecord> records) {
    return most_in_flight(vllm_requests(run_of(std::move(records))).value());
  };
  CHECK(most(analyse::list_of(answered(0, {100}, 100), answered(100, {200}, 200))) == 1);
  CHECK(most(analyse::list_of(answered(0, {100}, 100), answered(99, {200}, 200), answered(50, {60}, 60))) == 2);
  CHECK(most(analyse::list_of(answered(0, {100}, 100), analyse::failure(0, 100, event::Failure::reset))) == 1);
  CHECK(most({}) == 0);
}

}  // namespace scoville::report
