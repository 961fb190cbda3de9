#include "workload/access_log.hpp"

#include <doctest/doctest.h>

namespace scoville::workload {

using namespace std::chrono_literals;

TEST_CASE("a combined line has time, path, status and the bytes of the answer") {
  const LogRows log = read_access_log(
      "10.0.0.7 - alice [30/Nov/2026:10:15:30 +0000] \"POST /v1/chat/completions?key=s HTTP/1.1\" 200 5316 \"-\" "
      "\"py\"\n");
  REQUIRE(log.rows.size() == 1);
  const LoggedRequest& row = log.rows[0];
  CHECK(row.at == 1'796'033'730s);
  CHECK(row.path == "/v1/chat/completions");
  CHECK(row.status == 200);
  CHECK(row.answer_bytes == 5316);
  CHECK_FALSE(row.e2e);
  CHECK(row.session.empty());  // neither address nor user is taken for one
  CHECK(log.has_coarse_times);
}

TEST_CASE("with the request's time behind it, the request came so much before its line was written") {
  for (const char* tail : {" \"-\" \"a\\\"b\" 2.500", " \"-\" \"py\" rt=2.5 rl=812", " 2.5 request_length=812"}) {
    CAPTURE(tail);
    const LogRows log = read_access_log(
        std::string("h - - [30/Nov/2026:10:15:30 +0000] \"POST /v1/completions HTTP/1.1\" 200 10") + tail);
    REQUIRE(log.rows.size() == 1);
    CHECK(log.rows[0].e2e == 2500ms);
    CHECK(log.rows[0].at == 1'796'033'727'500ms);
  }
}

TEST_CASE("other paths are skipped, other lines are named, a common line without bytes is one") {
  const LogRows log = read_access_log(
      "h - - [30/Nov/2026:10:15:30 +0000] \"GET /health HTTP/1.1\" 200 2\n"
      "h - - [30/Nov/2026:10:15:30 +0000] \"POST /v1/embeddings HTTP/1.1\" 499 -\n"
      "nonsense\n"
      "h - - [30/Nov/2026:10:15:30 +0000] \"\\x16\\x03\" 400 0\n"
      "h - - [99/Nov/2026:10:15:30 +0000] \"POST /v1/embeddings HTTP/1.1\" 200 1\n");
  CHECK(log.skipped == 2);
  REQUIRE(log.rows.size() == 1);
  CHECK(log.rows[0].has_failed());
  CHECK_FALSE(log.rows[0].answer_bytes);
  REQUIRE(log.bad.size() == 2);
  CHECK(log.bad[0].line == 3);
  CHECK(log.bad[1].line == 5);
}

TEST_CASE("paths that ask for text") {
  CHECK(is_text_path("POST", "/v1/chat/completions"));
  CHECK(is_text_path("POST", "/proxy/v1/completions/"));
  CHECK(is_text_path("", "/v1/messages"));
  CHECK_FALSE(is_text_path("GET", "/v1/chat/completions"));
  CHECK_FALSE(is_text_path("POST", "/v1/models"));
}

}  // namespace scoville::workload
