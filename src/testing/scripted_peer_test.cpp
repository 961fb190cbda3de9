#include "testing/scripted_peer.hpp"

#include <doctest/doctest.h>

#include "testing/answers.hpp"
#include "wire/fetch.hpp"

namespace scoville::testing {
namespace {

using Then = Answer::Then;

Result<wire::Response> fetch(const ScriptedPeer& peer, const wire::TargetOptions& options = {}) {
  const auto target = wire::make_target(wire::parse_url(peer.url()).value(), options);
  if (!target) return target.error();
  wire::FetchRequest request;
  request.method = "POST";
  request.path = "/x";
  request.body = "hello";
  return wire::fetch(*target, request);
}

}  // namespace

TEST_CASE("each connection that sends a request gets the next script, the last one stays") {
  const ScriptedPeer peer({{{.bytes = http(200, "", "one")}}, {{.bytes = http(500, "", "two")}}});
  CHECK(fetch(peer).value().body == "one");
  CHECK(fetch(peer).value().head.status == 500);
  CHECK(fetch(peer).value().body == "two");
  CHECK(peer.connections() == 3);  // make_target knocked three times besides
  CHECK(peer.requests().at(0).starts_with("POST /x HTTP/1.1\r\n"));
  CHECK(peer.requests().at(0).ends_with("\r\n\r\nhello"));
}

TEST_CASE("a connection can end without an answer, or in the middle of one") {
  CHECK_FALSE(fetch(ScriptedPeer({{{.then = Then::fin}}})).ok());
  CHECK_FALSE(fetch(ScriptedPeer({{{.bytes = "HTTP/1.1 200 OK\r\n", .then = Then::rst}}})).ok());
}

TEST_CASE("what follows can wait until other requests have come") {
  // Answered at the second request at once, at the first only then.
  const ScriptedPeer peer({{{.until_requests = 2, .rest = http(200, "", "late")}}, {{.bytes = http(200, "", "soon")}}});
  std::string late;
  std::thread first([&] { late = fetch(peer).value().body; });
  while (peer.requests().empty()) std::this_thread::yield();
  CHECK(fetch(peer).value().body == "soon");
  first.join();
  CHECK(late == "late");
}

TEST_CASE("TLS, unix sockets, and a server that dies") {
  const Certificate certificate;
  const ScriptedPeer secure({{{.bytes = http(200, "", "s")}}}, {.certificate = &certificate});
  wire::TargetOptions options;
  options.tls.ca_file = certificate.cert_file();
  CHECK(fetch(secure, options).value().body == "s");
  CHECK(fetch(ScriptedPeer({{{.bytes = http(200, "", "u")}}}, {.unix_path = temporary_path(".sock")})).value().body ==
        "u");
  ScriptedPeer peer({{{.bytes = http(200, "", "x")}}});
  peer.die();
  CHECK(fetch(peer).error().code == ErrorCode::refused);
}

}  // namespace scoville::testing
