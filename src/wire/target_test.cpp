#include "wire/target.hpp"

#include <doctest/doctest.h>

#include "base/file.hpp"
#include "base/json.hpp"
#include "testing/answers.hpp"
#include "testing/scripted_peer.hpp"
#include "wire/fetch.hpp"
#include "wire/socket.hpp"

namespace scoville::wire {
namespace {

using testing::Certificate;
using testing::ScriptedPeer;

const std::vector<testing::Answers> kOk{{{.bytes = testing::http(200, "", "ok")}}};

Result<Target> reach(const std::string& url, const TargetOptions& options = {}) {
  return make_target(parse_url(url).value(), options);
}

Address address_of(const std::string& url) { return resolve(parse_url(url).value()).value().addresses.front(); }

std::string body_at(const Target& target) {
  FetchRequest request;
  request.path = "/x";
  const auto response = fetch(target, request);
  return response ? response->body : response.error().message;
}

TargetOptions trusting(const Certificate& certificate) {
  TargetOptions options;
  options.tls.ca_file = certificate.cert_file();
  return options;
}

bool is_one_line(const std::string& words) { return !words.empty() && words.find('\n') == std::string::npos; }

}  // namespace

TEST_CASE("case ERR-21: addresses are tried in turn, the one that answers is pinned, the tries are counted") {
  const json::value right =
      json::parse(read_file(std::string(SCOVILLE_CASES_DIR) + "/ERR-21.expect.json").value()).at("expect");
  const ScriptedPeer peer(kOk);  // listens on 127.0.0.1 alone
  const std::string port = ":" + std::to_string(peer.port());
  Target unpinned;
  unpinned.url = parse_url("http://localhost" + port).value();
  unpinned.connect_timeout = std::chrono::seconds(10);
  const auto pinned = pin_address(unpinned, {address_of("http://[::1]" + port), address_of("http://127.0.0.1" + port)});
  REQUIRE(pinned.ok());
  CHECK(pinned->address.to_string() == std::string(right.at("used_address").as_string()) + port);
  CHECK(pinned->connect_attempts == right.at("connect_attempts").to_number<int>());
  CHECK(body_at(*pinned) == "ok");
  CHECK(peer.requests().at(0).find("\r\nHost: localhost" + port + "\r\n") != std::string::npos);
}

TEST_CASE("localhost is found whichever address the system names first") {
  const ScriptedPeer peer(kOk);
  const auto target = reach("http://localhost:" + std::to_string(peer.port()));
  REQUIRE(target.ok());
  CHECK(target->address.to_string() == "127.0.0.1:" + std::to_string(peer.port()));
}

TEST_CASE("where no address answers, the last refusal is the error") {
  ScriptedPeer peer(kOk);
  peer.refuse();
  const auto target = reach(peer.url());
  REQUIRE_FALSE(target.ok());
  CHECK(target.error().code == ErrorCode::refused);
  CHECK(target.error().message.find(std::to_string(peer.port())) != std::string::npos);
}

TEST_CASE("a name that nobody knows is a DNS error in one line with the name") {
  const auto target = reach("http://no-such-host.invalid:8000");
  REQUIRE_FALSE(target.ok());
  CHECK(target.error().code == ErrorCode::dns);
  CHECK(target.error().message.find("no-such-host.invalid") != std::string::npos);
  CHECK(is_one_line(target.error().message));
}

TEST_CASE("a certificate that nobody vouches for is refused in one clear line") {
  const Certificate certificate, other;
  const ScriptedPeer peer(kOk, {.certificate = &certificate});
  for (const TargetOptions& options : {TargetOptions(), trusting(other)}) {
    const auto target = reach(peer.url(), options);
    REQUIRE_FALSE(target.ok());
    CHECK(target.error().code == ErrorCode::tls);
    CHECK(target.error().message.find("self-signed certificate") != std::string::npos);
    CHECK(is_one_line(target.error().message));
  }
}

TEST_CASE("a certificate for another name is refused, though its signature is right") {
  const Certificate certificate("DNS:elsewhere.example,IP:192.0.2.1");
  const ScriptedPeer peer(kOk, {.certificate = &certificate});
  for (const std::string host : {"127.0.0.1", "localhost"}) {
    const auto target = reach("https://" + host + ":" + std::to_string(peer.port()), trusting(certificate));
    REQUIRE_FALSE(target.ok());
    CHECK(target.error().code == ErrorCode::tls);
    CHECK(target.error().message.find("mismatch") != std::string::npos);
  }
}

TEST_CASE("--cacert makes a private certificate good, by name and by address; --insecure makes any good") {
  const Certificate certificate, wrong("DNS:elsewhere.example");
  const ScriptedPeer peer(kOk, {.certificate = &certificate}), stranger(kOk, {.certificate = &wrong});
  CHECK(body_at(reach(peer.url(), trusting(certificate)).value()) == "ok");
  CHECK(body_at(reach("https://localhost:" + std::to_string(peer.port()), trusting(certificate)).value()) == "ok");
  TargetOptions insecure;
  insecure.tls.verify = false;
  CHECK(body_at(reach(stranger.url(), insecure).value()) == "ok");
}

TEST_CASE("a server that asks for a client certificate gets ours, and without one it is a TLS error") {
  const Certificate server, client;
  const ScriptedPeer peer(kOk, {.certificate = &server, .client_issuer = &client});
  TargetOptions options = trusting(server);
  const auto without = reach(peer.url(), options);  // TLS 1.3: the refusal may come after our side is done
  const std::string refusal = without ? body_at(*without) : without.error().message;
  CHECK(refusal != "ok");
  CHECK(is_one_line(refusal));
  options.tls.cert_file = client.cert_file();
  options.tls.key_file = client.key_file();
  CHECK(body_at(reach(peer.url(), options).value()) == "ok");
}

TEST_CASE("a certificate file that cannot be used is named") {
  TargetOptions options;
  options.tls.ca_file = "/nonexistent/ca.pem";
  const auto target = reach("https://127.0.0.1:1", options);
  REQUIRE_FALSE(target.ok());
  CHECK(target.error().message.find("/nonexistent/ca.pem") != std::string::npos);
  CHECK(target.error().message.find("No such file") != std::string::npos);
}

TEST_CASE("a unix socket is reached by its path") {
  const ScriptedPeer peer(kOk, {.unix_path = testing::temporary_path(".sock")});
  const auto target = reach(peer.url());
  REQUIRE(target.ok());
  CHECK(target->address.to_string() == peer.url().replace(0, 7, "unix:"));
  CHECK(body_at(*target) == "ok");
}

TEST_CASE("a literal IPv6 address works in the URL and in the Host header") {
  Url six;
  six.host = "::1";
  if (!listen_on(resolve(six).value().addresses.front(), 1)) return;  // a machine without IPv6
  const ScriptedPeer peer(kOk, {.host = "::1"});
  const auto target = reach(peer.url());
  REQUIRE(target.ok());
  CHECK(body_at(*target) == "ok");
  const std::string authority = "[::1]:" + std::to_string(peer.port());
  CHECK(target->address.to_string() == authority);
  CHECK(peer.requests().at(0).find("\r\nHost: " + authority + "\r\n") != std::string::npos);
}

TEST_CASE("a proxy is asked to CONNECT to host and port, and no name is looked up here") {
  const ScriptedPeer proxy(kOk, {.is_proxy = true});
  TargetOptions options;
  options.proxy = proxy.url();
  CHECK(body_at(reach("http://far.invalid:8000", options).value()) == "ok");
  // The first CONNECT is make_target's knock.
  CHECK(proxy.requests().at(1) == "CONNECT far.invalid:8000 HTTP/1.1\r\nHost: far.invalid:8000\r\n\r\n");
  CHECK(proxy.requests().at(2).starts_with("GET /x HTTP/1.1\r\nHost: far.invalid:8000\r\n"));
  CHECK(body_at(reach("http://[::1]:8000", options).value()) == "ok");
  CHECK(proxy.requests().at(4).starts_with("CONNECT [::1]:8000 HTTP/1.1\r\n"));
}

TEST_CASE("TLS runs inside the tunnel, and checks the server's name, not the proxy's") {
  const Certificate certificate("DNS:far.invalid");
  const ScriptedPeer proxy(kOk, {.certificate = &certificate, .is_proxy = true});
  TargetOptions options = trusting(certificate);
  options.proxy = "http://127.0.0.1:" + std::to_string(proxy.port());
  CHECK(body_at(reach("https://far.invalid", options).value()) == "ok");
  CHECK(proxy.requests().at(0).starts_with("CONNECT far.invalid:443 HTTP/1.1\r\n"));
}

TEST_CASE("a proxy that refuses is named, with its words") {
  const ScriptedPeer proxy({{{.bytes = testing::http(407, "", ""), .then = testing::Answer::Then::fin}}});
  TargetOptions options;
  options.proxy = proxy.url();
  const auto target = reach("http://far.invalid:8000", options);
  REQUIRE_FALSE(target.ok());
  CHECK(target.error().message.find(proxy.url()) != std::string::npos);
  CHECK(target.error().message.find("407") != std::string::npos);
}

}  // namespace scoville::wire
