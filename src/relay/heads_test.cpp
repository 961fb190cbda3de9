#include "relay/heads.hpp"

#include <doctest/doctest.h>

namespace scoville::relay {
namespace {

wire::Url url(std::string_view text) {
  auto parsed = wire::parse_url(text);
  REQUIRE(parsed);
  return *parsed;
}

}  // namespace

TEST_CASE("a target goes behind the server's path, a version that both have once") {
  CHECK(target_at(url("http://h:1"), "/v1/chat/completions?a=b") == "/v1/chat/completions?a=b");
  CHECK(target_at(url("http://h:1/api/v1"), "/v1/models") == "/api/v1/models");
  CHECK(target_at(url("http://h:1/api/v1/"), "/api/v1/models") == "/api/v1/models");
  CHECK(target_at(url("http://h:1/team"), "/v1/models") == "/team/v1/models");
  CHECK(target_at(url("http://h:1"), "http://elsewhere/v1/models") == "/v1/models");
  CHECK(target_at(url("http://h:1"), "/v1/x?next=http://a/b") == "/v1/x?next=http://a/b");
}

TEST_CASE("a request gets the server's name; fields of one hop stay behind, the key goes along") {
  wire::MessageHead head;
  head.method = "POST";
  head.target = "/v1/x";
  head.content_length = 5;
  head.fields = {{"Host", "localhost:8080"},
                 {"Authorization", "Bearer k"},
                 {"Connection", "keep-alive, X-Own"},
                 {"X-Own", "1"},
                 {"Expect", "100-continue"},
                 {"Accept-Encoding", "br"},
                 {"Content-Length", "5"},
                 {"X-Tenant", "a"}};
  CHECK(request_head(head, url("http://h:81")) ==
        "POST /v1/x HTTP/1.1\r\nHost: h:81\r\nAuthorization: Bearer k\r\nX-Tenant: a\r\nContent-Length: 5\r\n\r\n");
  head.content_length.reset();
  head.is_chunked = true;
  CHECK(request_head(head, url("http://h:81")).ends_with("Transfer-Encoding: chunked\r\n\r\n"));
}

TEST_CASE("an answer is framed as its client can read it") {
  wire::MessageHead answer, request;
  answer.status = 200;
  request.method = "GET";
  answer.is_chunked = true;
  CHECK(framing_of_answer(answer, request, false) == Framing::chunked);
  request.is_http_1_1 = false;
  CHECK(framing_of_answer(answer, request, false) == Framing::until_end);
  request.is_http_1_1 = true;
  answer.is_chunked = false;
  CHECK(framing_of_answer(answer, request, true) == Framing::chunked);
  answer.content_length = 3;
  CHECK(framing_of_answer(answer, request, false) == Framing::length);
  request.method = "HEAD";
  CHECK(framing_of_answer(answer, request, false) == Framing::none);
  answer.reason = "OK";
  CHECK(answer_head(answer, Framing::none, false) ==
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\n");
}

TEST_CASE("pieces become chunks of their own") {
  std::string out;
  append_piece(out, std::string(26, 'x'), Framing::chunked);
  append_piece(out, "", Framing::chunked);  // would end the body
  append_end(out, Framing::chunked);
  CHECK(out == "1a\r\n" + std::string(26, 'x') + "\r\n0\r\n\r\n");
  out.clear();
  append_piece(out, "ab", Framing::length);
  append_end(out, Framing::length);
  CHECK(out == "ab");
}

TEST_CASE("an answer of our own says what is wrong, in JSON") {
  const std::string answer = own_answer(502, "upstream_connect", "127.0.0.1:1: refused");
  CHECK(answer.starts_with("HTTP/1.1 502 Bad Gateway\r\n"));
  CHECK(answer.find("\"code\":\"upstream_connect\"") != std::string::npos);
  CHECK(answer.find("refused") != std::string::npos);
}

}  // namespace scoville::relay
