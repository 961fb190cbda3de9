#include "wire/http_message.hpp"

#include <doctest/doctest.h>

namespace scoville::wire {
namespace {

struct Kept final : MessageParser::Sink {
  void on_head(const MessageHead& head) override { heads.push_back(head); }
  void on_body(std::string_view bytes) override { pieces.emplace_back(bytes); }
  std::string body() const {
    std::string out;
    for (const std::string& each : pieces) out += each;
    return out;
  }
  std::vector<MessageHead> heads;
  std::vector<std::string> pieces;
};

constexpr std::string_view kChunked =
    "POST /v1/x?a=b HTTP/1.1\r\nHost: h\r\nX-Mine: 1\r\nTransfer-Encoding: chunked\r\n\r\n"
    "3\r\nabc\r\n2;ext=1\r\nde\r\n0\r\nTrail: er\r\n\r\nGET";

}  // namespace

TEST_CASE("a request is handed on with all its fields, and bytes behind it are left to the next") {
  MessageParser parser(MessageParser::Kind::request);
  Kept kept;
  std::size_t used = 0;
  CHECK(parser.feed(kChunked, used, kept) == MessageParser::State::complete);
  CHECK(used == kChunked.size() - 3);
  REQUIRE(kept.heads.size() == 1);
  CHECK(kept.heads[0].method == "POST");
  CHECK(kept.heads[0].target == "/v1/x?a=b");
  CHECK(kept.heads[0].is_chunked);
  CHECK(kept.heads[0].fields.size() == 3);  // the trailer is none of them
  CHECK(*kept.heads[0].find("x-mine") == "1");
  CHECK(kept.body() == "abcde");
}

TEST_CASE("a message may be split anywhere") {
  for (std::size_t cut = 1; cut + 3 < kChunked.size(); ++cut) {
    CAPTURE(cut);
    MessageParser parser(MessageParser::Kind::request);
    Kept kept;
    std::size_t used = 0;
    REQUIRE(parser.feed(kChunked.substr(0, cut), used, kept) == MessageParser::State::open);
    CHECK(used == cut);
    CHECK(parser.is_amid());
    REQUIRE(parser.feed(kChunked.substr(cut), used, kept) == MessageParser::State::complete);
    CHECK(used == kChunked.size() - 3 - cut);
    CHECK(kept.body() == "abcde");
  }
}

TEST_CASE("body bytes of a response are handed on as they come") {
  MessageParser parser(MessageParser::Kind::response);
  Kept kept;
  std::size_t used = 0;
  CHECK(parser.feed("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\na", used, kept) ==
        MessageParser::State::open);
  REQUIRE(kept.heads.size() == 1);  // the interim one is not seen
  CHECK(kept.heads[0].status == 200);
  CHECK(kept.pieces == std::vector<std::string>{"a"});
  CHECK(parser.feed("bcd", used, kept) == MessageParser::State::complete);
  CHECK(kept.pieces == std::vector<std::string>{"a", "bcd"});
}

TEST_CASE("a body may run to the end of the connection, and the answer to HEAD has none") {
  MessageParser parser(MessageParser::Kind::response);
  Kept kept;
  std::size_t used = 0;
  CHECK(parser.feed("HTTP/1.0 200 OK\r\n\r\nabc", used, kept) == MessageParser::State::open);
  CHECK(parser.runs_to_the_end());
  CHECK(parser.finish() == MessageParser::State::complete);
  parser.start(true);
  CHECK(parser.feed("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", used, kept) == MessageParser::State::complete);
  parser.start();
  CHECK(parser.feed("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", used, kept) == MessageParser::State::open);
  CHECK(parser.finish() == MessageParser::State::failed);
}

TEST_CASE("what is no HTTP, and a length beside chunks, is refused") {
  Kept kept;
  std::size_t used = 0;
  MessageParser parser(MessageParser::Kind::request);
  CHECK(parser.feed("\x16\x03\x01 hello\r\n\r\n", used, kept) == MessageParser::State::failed);
  CHECK(parser.refusal() == 400);
  parser.start();
  CHECK(parser.feed("POST / HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n", used, kept) ==
        MessageParser::State::failed);
}

TEST_CASE("fields of one hop are those of RFC 9110 and those that Connection names") {
  MessageHead head;
  head.fields = {{"connection", "close, X-Local"}};
  CHECK(is_hop_by_hop("Transfer-encoding", head));
  CHECK(is_hop_by_hop("x-local", head));
  CHECK_FALSE(is_hop_by_hop("Authorization", head));
}

}  // namespace scoville::wire
