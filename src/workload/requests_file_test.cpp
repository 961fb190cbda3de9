#include "workload/requests_file.hpp"

#include <doctest/doctest.h>

#include "workload/made_request.hpp"

namespace scoville::workload {
namespace {

using namespace std::chrono_literals;

std::string head() {
  RecordingHead head;
  head.recording = "r";
  head.started = 1'796'033'730s;
  return compact(to_json(head)) + "\n";
}

}  // namespace

TEST_CASE("what is written of a request is read back") {
  LoggedRequest row = made_request(1.25, 2, "su", {0xfedcba9876543210ULL, 2});
  row.method = "POST";
  row.path = "/v1/chat/completions";
  row.session = "00ff";
  row.status = 200;
  row.is_stream = true;
  row.input_tokens = 812;
  row.output_tokens = 64;
  row.max_tokens = 100;
  row.ttft = 12'345us;
  row.answer_chars = 300;
  row.chunks = 64;
  row.prompt->prefix_hashes = {7, 8};
  row.answer_hash = 9;
  const LogRows read = read_requests_file(head() + compact(to_json(row)) + "\n");
  CHECK(read.block_chars == 256);
  CHECK(read.bad.empty());
  REQUIRE(read.rows.size() == 1);
  const LoggedRequest& back = read.rows[0];
  CHECK(back.line == 2);
  CHECK(back.at == row.at);
  CHECK(back.e2e == row.e2e);
  CHECK(back.ttft == row.ttft);
  CHECK(back.model == "m");
  CHECK(back.session == "00ff");
  CHECK(back.status == 200);
  CHECK(back.failure.empty());
  CHECK(back.is_stream);
  CHECK(back.input_tokens == 812);
  CHECK(back.output_tokens == 64);
  CHECK_FALSE(back.cached_tokens);
  CHECK(back.prompt->roles == "su");
  CHECK(back.prompt->message_hashes == row.prompt->message_hashes);
  CHECK(back.prompt->prefix_hashes == row.prompt->prefix_hashes);
  CHECK(back.prompt->chars == 200);
  CHECK(back.answer_hash == 9);
}

TEST_CASE("requests of other paths are skipped; fields of another kind, and other formats, are named") {
  const LogRows read = read_requests_file(
      head() + "{\"at\":1796033730,\"method\":\"GET\",\"path\":\"/v1/models\",\"status\":200}\n" +
      "{\"at\":1796033730,\"method\":\"POST\",\"path\":\"/v1/completions\",\"input_tokens\":\"many\"}\n" +
      "{\"at\":1796033730,\"path\":\"/v1/completions\",\"roles\":\"u\",\"message_hashes\":[\"xyz\"]}\n" +
      "{\"at\":1796033730,\"path\":\"/v1/completions\",\"message_hashes\":[\"0000000000000001\"]}\n" +
      "{\"path\":\"/v1/completions\"}\n" + "{\"format\":\"scoville.requests/9\",\"block_chars\":256}\n");
  CHECK(read.skipped == 1);
  CHECK(read.rows.empty());
  REQUIRE(read.bad.size() == 5);
  CHECK(read.bad[0].reason.find("input_tokens") != std::string::npos);
  CHECK(read.bad[1].reason.find("message_hashes") != std::string::npos);
  CHECK(read.bad[2].reason.find("message_hashes") != std::string::npos);
  CHECK(read.bad[3].reason.find("at") != std::string::npos);
  CHECK(read.bad[4].reason.find("format") != std::string::npos);
}

}  // namespace scoville::workload
