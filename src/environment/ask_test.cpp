#include "environment/ask.hpp"

#include <doctest/doctest.h>

#include "environment/server_side.hpp"
#include "testing/scripted_peer.hpp"

using namespace scoville;
using namespace scoville::environment;
using testing::Answer;
using testing::ScriptedPeer;

namespace {

std::string http_json(const std::string& body) {
  return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\nConnection: close\r\n\r\n" + body;
}

}  // namespace

TEST_CASE("paths are asked below the base URL, /v1 or not, with the caller's headers") {
  ScriptedPeer peer({{{http_json(R"({"version":"1"})"), Answer::Then::fin}}});
  auto target = wire::make_target(*wire::parse_url(peer.url() + "/v1"), {});
  REQUIRE(target.ok());
  const Get get = make_get(*target, {{"X-Tenant", "a"}}, std::chrono::seconds(10));
  const Result<wire::Response> answer = get("/version");
  REQUIRE(answer.ok());
  CHECK(answer->body == R"({"version":"1"})");
  REQUIRE(get("/v1/models").ok());
  const Post post = make_post(*target, {}, std::chrono::seconds(10));
  REQUIRE(post("/api/show", R"({"model":"m"})").ok());
  const auto requests = peer.requests();
  REQUIRE(requests.size() == 3);
  CHECK(requests[0].starts_with("GET /version HTTP/1.1\r\n"));
  CHECK(requests[0].find("X-Tenant: a\r\n") != std::string::npos);
  CHECK(requests[1].starts_with("GET /v1/models HTTP/1.1\r\n"));
  CHECK(requests[2].starts_with("POST /api/show HTTP/1.1\r\n"));
  CHECK(requests[2].ends_with("\r\n\r\n{\"model\":\"m\"}"));
}
