#include "launch/ready.hpp"

#include <doctest/doctest.h>

#include <cstdlib>

#include "base/clock.hpp"
#include "launch/made_file.hpp"

using namespace scoville;
using namespace std::chrono_literals;

namespace {

/// A server that answers 503 twice and then 200; `before` runs when it is about to listen.
constexpr const char* kServer = R"(
import http.server, sys
class Handler(http.server.BaseHTTPRequestHandler):
    left = 2
    def do_GET(self):
        Handler.left -= 1
        self.send_response(503 if Handler.left >= 0 else 200 if self.path == '/up' else 404)
        self.send_header('Content-Length', '0')
        self.end_headers()
http.server.HTTPServer(('127.0.0.1', int(sys.argv[1])), Handler).serve_forever()
)";

launch::Plan plan(std::vector<std::string> words, const launch::MadeFile& log) {
  launch::Plan out;
  out.words = std::move(words);
  out.shown = "the command";
  out.variables = {{"PATH", std::getenv("PATH")}};
  out.log = log.path();
  return out;
}

launch::ReadyQuestion question(std::uint16_t port, Nanos timeout = 60s) {
  launch::ReadyQuestion out;
  out.base = *wire::parse_url("http://127.0.0.1:" + std::to_string(port) + "/v1");
  out.path = "/up";
  out.timeout = timeout;
  return out;
}

const std::atomic<bool> kGoOn{false};
void nothing(Nanos) {}

}  // namespace

TEST_CASE("an engine is ready with its first 2xx: refused, then 503, mean not yet") {
  const launch::MadeFile log;
  const std::uint16_t port = *launch::free_port();
  auto engine = launch::Engine::start(plan({"python3", "-c", kServer, std::to_string(port)}, log));
  REQUIRE(engine.ok());
  const auto ready = launch::wait_until_ready(**engine, question(port), kGoOn, nothing);
  REQUIRE_MESSAGE(ready.ok(), ready.error().message);
  CHECK(*ready > (*engine)->started());
  // It listens now: whoever would start another there is told so.
  const auto taken = launch::check_is_free(question(port).base, {});
  REQUIRE_FALSE(taken.ok());
  CHECK(taken.error().message.find(std::to_string(port)) != std::string::npos);
}

TEST_CASE("an engine that ends while it starts ends the wait, in its own words") {
  const launch::MadeFile log;
  auto engine = launch::Engine::start(plan(
      {"sh", "-c", "echo usage: engine; echo 'engine: error: unrecognized arguments: --foo'; echo bye; exit 2"}, log));
  REQUIRE(engine.ok());
  const auto ready = launch::wait_until_ready(**engine, question(*launch::free_port()), kGoOn, nothing);
  REQUIRE_FALSE(ready.ok());
  for (const char* part : {"unrecognized arguments: --foo", "status 2", "the command"})
    CHECK_MESSAGE(ready.error().message.find(part) != std::string::npos, ready.error().message);
}

TEST_CASE("an engine that never answers is given up after the time-out, and at once when we are stopped") {
  const launch::MadeFile log;
  auto engine = launch::Engine::start(plan({"sleep", "600"}, log));
  REQUIRE(engine.ok());
  const auto late = launch::wait_until_ready(**engine, question(*launch::free_port(), 60ms), kGoOn, nothing);
  REQUIRE_FALSE(late.ok());
  CHECK(late.error().code == ErrorCode::timed_out);
  const std::atomic<bool> stop{true};
  const auto stopped = launch::wait_until_ready(**engine, question(*launch::free_port()), stop, nothing);
  REQUIRE_FALSE(stopped.ok());
  CHECK(stopped.error().code == ErrorCode::aborted);
}

TEST_CASE("an answer of somebody else does not make an engine ready that has ended") {
  const launch::MadeFile log, other_log;
  const std::uint16_t port = *launch::free_port();
  auto other = launch::Engine::start(plan({"python3", "-c", kServer, std::to_string(port)}, other_log));
  REQUIRE(launch::wait_until_ready(**other, question(port), kGoOn, nothing).ok());
  auto engine = launch::Engine::start(plan({"sh", "-c", "echo address in use; exit 1"}, log));
  REQUIRE((*engine)->has_ended_within(20s));
  const auto ready = launch::wait_until_ready(**engine, question(port), kGoOn, nothing);
  REQUIRE_FALSE(ready.ok());
  CHECK(ready.error().message.find("address in use") != std::string::npos);
}

TEST_CASE("questions come close together at first, and thin out") {
  CHECK(launch::pause_after(Nanos::zero()) == 20ms);
  CHECK(launch::pause_after(10s) == 100ms);
  CHECK(launch::pause_after(300s) == 500ms);
}
