#include "workload/openai_log.hpp"

#include <doctest/doctest.h>

#include "workload/read_log.hpp"

namespace scoville::workload {
namespace {

using namespace std::chrono_literals;

LogRows read(std::string_view text) { return read_openai_log(text, SaltedHash("salt")); }

}  // namespace

TEST_CASE("the body may be the line, stand under request or body, or be a text of JSON") {
  const LogRows log = read(
      "{\"model\":\"m\",\"prompt\":\"abcd\"}\n"
      "{\"request\":{\"method\":\"POST\",\"body\":{\"model\":\"m\",\"prompt\":\"abcd\"}}}\n"
      "{\"body\":\"{\\\"model\\\":\\\"m\\\",\\\"prompt\\\":\\\"abcd\\\"}\"}\n");
  CHECK(log.bad.empty());
  REQUIRE(log.rows.size() == 3);
  for (const LoggedRequest& row : log.rows) {
    CHECK(row.model == "m");
    CHECK(row.prompt->chars == 4);
    CHECK_FALSE(row.at);
  }
}

TEST_CASE("usage, times and durations are found in the spellings in use") {
  const LogRows log = read(
      R"({"timestamp":"2026-11-30T10:15:30.5Z","latency_ms":250,"session_id":"s","request":{"messages":[]},)"
      R"("response":{"status_code":200,"body":{"choices":[{"message":{"content":"hello"}}],)"
      R"("usage":{"prompt_tokens":12,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":8}}}}})"
      "\n"
      R"({"end_time":1796033732,"ts":1796033730500,"body":{"input":"x"},"response":{"usage":{"input_tokens":1,"output_tokens":2}}})"
      "\n"
      R"({"body":{"prompt":"x"},"response":{"created":1796033730,"error":{"message":"no"}}})"
      "\n");
  REQUIRE(log.rows.size() == 3);
  CHECK(log.rows[0].at == 1'796'033'730'500ms);
  CHECK(log.rows[0].e2e == 250ms);
  CHECK(log.rows[0].session == "s");
  CHECK(log.rows[0].input_tokens == 12);
  CHECK(log.rows[0].output_tokens == 3);
  CHECK(log.rows[0].cached_tokens == 8);
  CHECK(log.rows[0].answer_chars == 5);
  CHECK(log.rows[1].at == 1'796'033'730'500ms);
  CHECK(log.rows[1].e2e == 1500ms);
  CHECK(log.rows[1].output_tokens == 2);
  CHECK(log.rows[2].at == 1'796'033'730s);
  CHECK(log.rows[2].has_failed());
}

TEST_CASE("a line that is no request is named, with what was expected") {
  const LogRows log =
      read("{\"level\":\"info\"}\n{broken\n{\"prompt\":\"x\",\"time\":\"noon\"}\n\n\xff\n{\"prompt\":\"x\"}\n");
  CHECK(log.rows.size() == 1);
  CHECK(log.rows[0].line == 6);
  REQUIRE(log.bad.size() == 4);
  CHECK(log.bad[0].line == 1);
  CHECK(log.bad[1].line == 2);
  CHECK(log.bad[2].reason.find("noon") != std::string::npos);
  CHECK(log.bad[3].line == 5);
}

TEST_CASE("formats are told by the first line that is one") {
  CHECK(detect_format("\n{\"format\":\"scoville.requests/1\"}\n") == LogFormat::requests);
  CHECK(detect_format("{\"prompt\":\"x\"}\n") == LogFormat::openai);
  CHECK(detect_format("garbage\nh - - [30/Nov/2026:10:15:30 +0000] \"GET / HTTP/1.1\" 200 2\n") == LogFormat::access);
  CHECK_FALSE(detect_format("garbage\n"));
  CHECK_FALSE(detect_format(""));
}

}  // namespace scoville::workload
