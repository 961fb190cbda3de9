#include "wire/http_response.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace scoville::wire {
namespace {

using State = ResponseParser::State;

struct Heard : ResponseParser::Sink {
  std::vector<int> statuses;
  std::string type, body;
  void on_head(const ResponseHead& head) override {
    statuses.push_back(head.status);
    type = head.content_type;
  }
  void on_body(std::string_view bytes) override { body += bytes; }
};

struct Outcome {
  Heard heard;
  State state = State::open;
  bool surplus = false;
};

Outcome parse(const std::string& wire, std::size_t step, bool closed = false, std::size_t headroom = 4096) {
  ResponseParser parser;
  Outcome outcome;
  for (std::size_t at = 0; at < wire.size(); at += step) {
    const std::string piece = wire.substr(at, step);
    std::string buffer(headroom, '.');
    buffer += piece;
    buffer += std::string(64, '.');
    outcome.state = parser.feed(buffer.data() + headroom, piece.size(), headroom, outcome.heard);
  }
  if (closed) outcome.state = parser.finish();
  outcome.surplus = parser.has_surplus();
  return outcome;
}

const std::string kChunked =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    "000005;sig=ab\r\nhello\r\nB ; x=\"1;2\"\r\n wide world\r\n0;last=1\r\nX-Sum: 9\r\n\r\n";

}  // namespace

TEST_CASE("a chunked body is read wherever it is split, extensions and trailers dropped") {
  for (std::size_t step = 1; step <= kChunked.size(); ++step) {
    for (const std::size_t headroom : {std::size_t{0}, std::size_t{4096}}) {
      CAPTURE(step);
      const Outcome outcome = parse(kChunked, step, false, headroom);
      CHECK(outcome.state == State::complete);
      CHECK(outcome.heard.body == "hello wide world");
      CHECK(outcome.heard.statuses == std::vector<int>{200});
      CHECK_FALSE(outcome.surplus);
    }
  }
}

TEST_CASE("interim responses are skipped") {
  const std::string wire =
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>; rel=preload\r\n\r\n" + kChunked;
  for (const std::size_t step : {std::size_t{1}, std::size_t{7}, wire.size()}) {
    const Outcome outcome = parse(wire, step);
    CHECK(outcome.heard.statuses == std::vector<int>{200});
    CHECK(outcome.heard.body == "hello wide world");
  }
}

TEST_CASE("a body shorter than it said is truncated, one without a length ends with the connection") {
  CHECK(parse("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello", 4, true).state == State::truncated);
  CHECK(parse(kChunked.substr(0, kChunked.size() - 20), 4, true).state == State::truncated);
  const Outcome open_end = parse("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello", 4, true);
  CHECK(open_end.state == State::complete);
  CHECK(open_end.heard.body == "hello");
  CHECK(parse("", 1, true).state == State::truncated);
}

TEST_CASE("what is not HTTP fails with a word, and surplus bytes are noticed") {
  CHECK(parse("SSH-2.0-OpenSSH_9.2\r\n", 5).state == State::failed);
  CHECK(parse("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", 64).state == State::failed);
  CHECK(parse("HTTP/1.1 204 No Content\r\n\r\nrubbish", 64).surplus);
}

}  // namespace scoville::wire
