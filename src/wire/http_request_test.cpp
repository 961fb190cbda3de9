#include "wire/http_request.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace scoville::wire {
namespace {

using State = RequestParser::State;

struct Seen {
  std::string method, target, body;
  bool keep_alive = true;
};

/// All requests of `wire`, fed in pieces of `step`; the last state where one was refused.
std::vector<Seen> parse(const std::string& wire, std::size_t step, int* refusal = nullptr) {
  RequestParser parser(1000);
  std::vector<Seen> seen;
  for (std::size_t at = 0; at < wire.size(); at += step) {
    std::string_view piece = std::string_view(wire).substr(at, step);
    while (!piece.empty()) {
      std::size_t used = 0;
      const State state = parser.feed(piece, used);
      if (state == State::failed) {
        if (refusal) *refusal = parser.refusal();
        return seen;
      }
      piece.remove_prefix(used);
      if (state != State::complete) continue;
      seen.push_back({parser.head().method, parser.head().target, parser.body(), parser.head().keep_alive});
      parser.start();
    }
  }
  return seen;
}

int refusal_of(const std::string& wire, std::size_t step) {
  int refusal = 0;
  parse(wire, step, &refusal);
  return refusal;
}

const std::string kThree =
    "POST /v1/chat/completions HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello"
    "GET /health?x=1 HTTP/1.1\r\nHost: h\r\n\r\n"
    "POST /tokenize HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    "3\r\nabc\r\n4;e=1\r\ndefg\r\n0\r\n\r\n";

}  // namespace

TEST_CASE("requests on one connection are read wherever they are split") {
  for (std::size_t step = 1; step <= kThree.size(); ++step) {
    CAPTURE(step);
    const auto seen = parse(kThree, step);
    REQUIRE(seen.size() == 3);
    CHECK(seen[0].method == "POST");
    CHECK(seen[0].target == "/v1/chat/completions");
    CHECK(seen[0].body == "hello");
    CHECK(seen[0].keep_alive);
    CHECK(seen[1].method == "GET");
    CHECK(seen[1].target == "/health?x=1");
    CHECK(seen[1].body.empty());
    CHECK(seen[2].body == "abcdefg");
    CHECK_FALSE(seen[2].keep_alive);
  }
}

TEST_CASE("what cannot be read has a status to refuse it with") {
  for (const std::size_t step : {std::size_t{3}, std::size_t{100000}}) {
    CHECK(refusal_of("SSH-2.0-OpenSSH_9.2\r\n\r\n", step) == 400);
    CHECK(refusal_of("POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n", step) == 400);
    CHECK(refusal_of("POST / HTTP/1.1\r\nContent-Length: 1001\r\n\r\n", step) == 413);
    CHECK(refusal_of("GET / HTTP/1.1\r\nX: " + std::string(70000, 'x') + "\r\n\r\n", step) == 431);
  }
}

TEST_CASE("a client that waits for 100 Continue is told once, before its body") {
  RequestParser parser(1000);
  std::size_t used = 0;
  CHECK_FALSE(parser.is_amid());
  CHECK(parser.feed("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n", used) == State::open);
  CHECK(parser.is_amid());
  CHECK_FALSE(parser.take_expectation());
  CHECK(parser.feed("\r\n", used) == State::open);
  CHECK(parser.take_expectation());
  CHECK_FALSE(parser.take_expectation());
  CHECK(parser.feed("ok", used) == State::complete);
  CHECK_FALSE(parser.is_amid());
}

TEST_CASE("a status has its phrase") {
  CHECK(reason_phrase(200) == "OK");
  CHECK(reason_phrase(429) == "Too Many Requests");
}

}  // namespace scoville::wire
