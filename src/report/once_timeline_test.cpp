#include <doctest/doctest.h>

#include "analyse/made_record.hpp"
#include "analyse/vllm_view.hpp"
#include "report/golden_file.hpp"
#include "report/once.hpp"
#include "report/words.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using analyse::at_ms;
using analyse::ms;
using text::Language;

/// Twenty tokens 10 ms apart after 52.5 ms, over a new connection; reasoning first; two events in one read.
event::RequestRecord made_answer() {
  event::RequestRecord record = analyse::answered(0, analyse::every(10, 20, 52.5), 243);
  record.headers = record.first_byte = at_ms(51);
  record.first_answer = at_ms(72.5);
  record.write_took = ms(0.012);
  record.tcp = ms(0.2);
  record.tls = ms(3.4);
  record.prompt_tokens = 12;
  record.cached_tokens = 4;
  record.tokens[3].width_ns = 1500000;
  record.tokens[3].shares_read = true;
  record.flags.set(event::Flag::coalesced);
  record.server = event::ServerTimings{12, 0, 20, 104.25};
  record.text = std::make_unique<event::RequestText>();
  record.text->reasoning = "Say it in Latin.";
  record.text->answers = {"Salve, munde."};
  return record;
}

OnceSubject subject() { return {"https://host:8443/v1/chat/completions", "10.0.0.2:8443", "tiny-1b", ms(1.1)}; }

std::string timeline_in(Language language, const event::RequestRecord& record,
                        const event::RequestRecord* second = nullptr) {
  const Speaking speaking(language);
  return once_timeline(record, second, subject(), {});
}

event::RequestRecord made_refusal() {
  event::RequestRecord record = analyse::failure(0, 8, event::Failure::http_status);
  record.headers = at_ms(7.5);
  record.http_status = 429;
  record.error_message = "slow\ndown";
  record.retry_after_s = 2;
  return record;
}

/// Whole numbers and others compare alike; null is a value of its own.
std::optional<double> number_of(const json::value& value) {
  return value.is_null() ? std::nullopt : std::optional(value.to_number<double>());
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("golden: a time line in English") {
  const event::RequestRecord refusal = made_refusal();
  check_golden("once.en.txt", timeline_in(Language::english, made_answer(), &refusal));
}

TEST_CASE("golden: a time line in Chinese") {
  const event::RequestRecord refusal = made_refusal();
  check_golden("once.zh.txt", timeline_in(Language::chinese, made_answer(), &refusal));
}

TEST_CASE("a failure is one line: class, status, the server's own words, when to come again") {
  const std::string line = timeline_in(Language::english, made_refusal());
  CHECK(has(
      line,
      "FAILED: the server answered with an error status (http_status) 429: slow down (the server asks to wait 2 s)\n"));
  CHECK_FALSE(has(line, "TTFT"));
}

TEST_CASE("every class of failure and every flag has words in both languages") {
  for (const Language language : {Language::english, Language::chinese}) {
    const Speaking speaking(language);
    for (std::size_t i = 0; i < event::kFailureCount; ++i) {
      CHECK(has(describe(static_cast<event::Failure>(i)), std::string(name_of(static_cast<event::Failure>(i)))));
    }
    for (std::size_t i = 0; i < event::kFlagCount; ++i) {
      CHECK(has(describe(static_cast<event::Flag>(i)), std::string(name_of(static_cast<event::Flag>(i)))));
    }
  }
}

TEST_CASE("a long answer is shown by its first and last six events, and the number between them") {
  const std::string line = timeline_in(Language::english, made_answer());
  CHECK(has(line, "token event 6"));
  CHECK_FALSE(has(line, "token event 7\n"));
  CHECK(has(line, "… 8 more events, gaps 10.0 ms to 10.0 ms …"));
  CHECK(has(line, "token event 15"));
  CHECK(has(line, "token event 20"));
  event::RequestRecord thirteen = analyse::answered(0, analyse::every(10, 13, 50), 200);
  CHECK(has(timeline_in(Language::english, thirteen), "token event 7\n"));
}

TEST_CASE("MEAS-07: connection set-up stands apart from TTFT, and is null, not 0, on a reused connection") {
  const auto expect = json::parse(*read_file(SCOVILLE_CASES_DIR "/MEAS-07.expect.json")).at("expect").as_object();
  const std::string input = *read_file(SCOVILLE_CASES_DIR "/MEAS-07.jsonl");
  const std::size_t end = input.find('\n');
  const json::value rows[] = {json::parse(input.substr(0, end)), json::parse(input.substr(end + 1))};
  for (std::size_t i = 0; i < 2; ++i) {
    const auto at = [&](const char* key) { return rows[i].at(key).to_number<double>(); };
    event::RequestRecord record =
        analyse::answered(at("request_sent_ms"), {at("first_token_ms")}, at("first_token_ms"));
    OnceSubject where = subject();
    record.reused_connection = rows[i].as_object().contains("reused");
    if (!record.reused_connection) {
      where.dns_took = ms(at("dns_end_ms") - at("dns_start_ms"));
      record.dequeued = at_ms(at("dns_start_ms"));
      record.tcp = ms(at("tcp_end_ms") - at("dns_end_ms"));
      record.tls = ms(at("tls_end_ms") - at("tcp_end_ms"));
    }
    const json::object out = once_json(record, nullptr, where, {});
    CHECK(number_of(out.at("ttft_any_ms")) == number_of(expect.at("ttft_ms").at(i)));
    CHECK(number_of(out.at("dns_ms")) == number_of(expect.at("dns_ms").at(i)));
    CHECK(number_of(out.at("connect_ms")) == number_of(expect.at("tcp_ms").at(i)));
    CHECK(number_of(out.at("tls_ms")) == number_of(expect.at("tls_ms").at(i)));
    // What a client would print that starts its clock before it connects.
    analyse::VllmPool theirs;
    theirs.add(record);
    CHECK(*theirs.view().ttft.mean == expect.at("with_setup_ms").at(i).to_number<double>() * 1e6);
  }
}

TEST_CASE("a server that could not be reached gives the same object, with a class and nulls") {
  const json::object out = once_unreachable_json({ErrorCode::dns, "no such host"}, {});
  CHECK(out.at("status") == "failed");
  CHECK(out.at("error_class") == "dns");
  CHECK(out.at("error_message") == "no such host");
  for (const char* key : {"ttft_any_ms", "e2e_ms", "http_status", "n_out", "tpot_ms"}) CHECK(out.at(key).is_null());
}

}  // namespace scoville::report
