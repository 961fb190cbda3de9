#include "run/single.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>

#include "base/file.hpp"
#include "base/json.hpp"
#include "testing/answers.hpp"
#include "testing/scripted_peer.hpp"

namespace scoville::run {
namespace {

using event::Failure;
using event::Flag;
using event::RequestRecord;
using testing::Answer;
using testing::Answers;
using testing::Certificate;
using testing::chat_answer;
using testing::delta;
using testing::http;
using testing::open_stream;
using testing::ScriptedPeer;
using Then = testing::Answer::Then;

struct Asking {
  std::size_t requests = 1;
  wire::TargetOptions wire;
  plan::RequestShape shape;
  plan::Timeouts timeouts;
};

/// What run_single makes of the server at `url`.
Result<std::vector<RequestRecord>> ask(const std::string& url, Asking asking = {}) {
  const auto dialect = load::make_dialect(asking.shape.dialect);
  auto target = wire::make_target(wire::parse_url(url).value(), asking.wire);
  if (!target) return target.error();
  target->url = wire::join_api_path(target->url, dialect->path(asking.shape));
  dataset::Prompt prompt;
  prompt.text = "Hello";
  const std::atomic<bool> stop{false};
  return run_single(*target, asking.wire, *dialect, asking.shape, asking.timeouts, prompt, asking.requests, stop);
}

RequestRecord ask_once(std::vector<Answers> script, Asking asking = {}) {
  const ScriptedPeer peer(std::move(script));
  auto records = ask(peer.url(), std::move(asking));
  REQUIRE_MESSAGE(records.ok(), (records ? "" : records.error().message));
  REQUIRE(records->size() == 1);
  return std::move(records->front());
}

/// One answer with this status and body.
RequestRecord answered(int status, const std::string& head_lines, const std::string& body) {
  return ask_once({{{.bytes = http(status, head_lines, body)}}});
}

std::string path_of(const std::string& request) {
  const std::size_t begin = request.find(' ') + 1;
  return request.substr(begin, request.find(' ', begin) - begin);
}

/// An environment variable for as long as this lives.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~Environment() { unsetenv(name_); }

 private:
  const char* name_;
};

}  // namespace

TEST_CASE("one request becomes a record with its text, counts and times in order") {
  const RequestRecord record = ask_once({{{.bytes = chat_answer()}}});
  CHECK(record.succeeded());
  CHECK(record.text->answers.at(0) == "ab");
  CHECK(record.n_out == 2);
  CHECK(record.prompt_tokens == 5);
  CHECK(record.finish_reason == "stop");
  CHECK(record.tokens.size() == 2);
  CHECK_FALSE(record.due.has_value());
  CHECK(*record.connected <= *record.written);
  CHECK(*record.written <= *record.headers);
  CHECK(*record.headers <= *record.first_token);
  CHECK(*record.last_token <= *record.end);
}

TEST_CASE("events that came in one segment arrived together: none of them is known to less than its stamp") {
  const ScriptedPeer peer({{{.bytes = chat_answer()}}});
  Asking asking;
  asking.requests = 3;
  const auto records = ask(peer.url(), asking);
  REQUIRE(records.ok());
  const bool kernel_counts = std::any_of(records->begin(), records->end(),
                                         [](const RequestRecord& each) { return each.tokens.front().width_ns == 0; });
  if (!kernel_counts) return;  // an old kernel, or a sandbox
  for (const RequestRecord& each : *records) {
    CHECK(each.tokens.front().shares_read);
    CHECK(each.tokens.front().width_ns == 0);
    CHECK(each.tokens.back().width_ns == 0);
    CHECK(each.end_width_ns == 0);
  }
}

TEST_CASE("a status outside 2xx is a failure of its own class, with the server's words") {
  for (const int status : {401, 404, 500}) {
    const auto record = answered(status, "Content-Type: application/json\r\n",
                                 R"({"error":{"message":"no such thing","param":"model","code":"x"}})");
    CHECK(record.failure == Failure::http_status);
    CHECK(record.http_status == status);
    CHECK(record.error_message == "no such thing");
    CHECK(record.param == "model");
    CHECK(record.failed_at.has_value());
    CHECK_FALSE(record.retry_after_s.has_value());
  }
  CHECK(answered(503, "", "loading").error_message == "loading");
}

TEST_CASE("Retry-After is read where it is a number of seconds") {
  CHECK(answered(429, "Retry-After: 12\r\n", "").retry_after_s == 12.0);
  CHECK(answered(429, "Retry-After: 0.5\r\n", "").retry_after_s == 0.5);
  CHECK_FALSE(answered(503, "Retry-After: Fri, 31 Dec 1999 23:59:59 GMT\r\n", "").retry_after_s.has_value());
}

TEST_CASE("an HTML page with status 200 is no answer") {
  const auto record = answered(200, "Content-Type: text/html\r\n", "<html>Sign in</html>");
  CHECK(record.failure == Failure::protocol);
  CHECK_FALSE(record.n_out.has_value());
  CHECK(answered(200, "", "<html>Sign in</html>").failure == Failure::protocol);  // whatever it says it is
}

TEST_CASE("an error object inside a 200 stream is a failure, what came before it is kept") {
  const auto record =
      ask_once({{{.bytes = open_stream({delta("a"), R"({"error":{"message":"out of memory","code":500}})", "[DONE]"}) +
                           testing::end_of_stream()}}});
  CHECK(record.failure == Failure::stream_error);
  CHECK(record.error_message == "out of memory");
  CHECK(record.tokens.size() == 1);
}

TEST_CASE("a frame that cannot be parsed is counted, and the stream goes on") {
  const auto record =
      ask_once({{{.bytes = open_stream({delta("a"), R"({"choices":[{"delta":{"con)", delta("b"), "[DONE]"}) +
                           testing::end_of_stream()}}});
  CHECK(record.succeeded());
  CHECK(record.malformed == 1);
  CHECK(record.flags.has(Flag::malformed_frame));
  CHECK(record.text->answers.at(0) == "ab");
}

TEST_CASE("an empty stream is an empty output, never a success with 0 tokens") {
  CHECK(ask_once({{{.bytes = open_stream({}) + testing::end_of_stream()}}}).failure == Failure::empty_output);
  CHECK(ask_once({{{.bytes = open_stream({"[DONE]"}) + testing::end_of_stream()}}}).failure == Failure::empty_output);
  CHECK(answered(200, "Content-Type: application/json\r\n", "").failure == Failure::empty_output);
}

TEST_CASE("a connection that ends or breaks in mid-stream: truncated, or reset") {
  const std::string half = open_stream({delta("a"), delta("b")});
  const auto ended = ask_once({{{.bytes = half, .then = Then::fin}}});
  CHECK(ended.failure == Failure::truncated);
  CHECK_FALSE(ended.end.has_value());
  CHECK(ended.tokens.size() == 2);
  CHECK(ask_once({{{.bytes = half, .then = Then::rst}}}).failure == Failure::reset);
  CHECK(ask_once({{{.bytes = "HTTP/1.1 200 OK\r\nContent-Le", .then = Then::fin}}}).failure == Failure::truncated);
}

TEST_CASE("an end after [DONE] is no failure, however rude") {
  for (const Then rude : {Then::fin, Then::rst}) {
    const auto record = ask_once({{{.bytes = open_stream({delta("a"), "[DONE]"}), .then = rude}}});
    CHECK(record.succeeded());
    CHECK(record.error_message.empty());
  }
}

TEST_CASE("bytes that are no HTTP are a protocol failure") {
  const auto record = ask_once({{{.bytes = "SSH-2.0-OpenSSH_9.2\r\n", .then = Then::hold}}});
  CHECK(record.failure == Failure::protocol);
}

TEST_CASE("a coding that cannot be undone is refused, a broken one too") {
  CHECK(answered(200, "Content-Encoding: br\r\n", "xyz").failure == Failure::unsupported_encoding);
  CHECK(answered(200, "Content-Encoding: gzip\r\n", "this is not gzip").failure == Failure::unsupported_encoding);
}

TEST_CASE("silence ends the request at the limit that was set, as the class of that limit") {
  Asking asking;
  asking.timeouts.idle = std::chrono::milliseconds(20);
  const auto idle = ask_once({{{.bytes = open_stream({delta("a")}), .then = Then::hold}}}, asking);
  CHECK(idle.failure == Failure::timeout_idle);
  CHECK(*idle.failed_at - *idle.last_token >= std::chrono::milliseconds(20));
  CHECK_FALSE(idle.end.has_value());
  asking = Asking();
  asking.timeouts.request = std::chrono::milliseconds(20);
  CHECK(ask_once({{{.then = Then::hold}}}, asking).failure == Failure::timeout_request);
}

TEST_CASE("redirects are resolved before the request that is measured, with method and body kept") {
  for (const int status : {301, 302, 303, 307, 308}) {
    const ScriptedPeer peer(
        {{{.bytes = http(status, "Location: /api/v1/chat/completions\r\n", "")}, {.bytes = chat_answer()}},
         {{.bytes = chat_answer()}}});
    const auto records = ask(peer.url());
    REQUIRE(records.ok());
    CHECK(records->front().succeeded());
    CHECK(records->front().redirects == 0);
    const auto requests = peer.requests();
    REQUIRE(requests.size() == 2);
    CHECK(path_of(requests[1]) == "/api/v1/chat/completions");
    CHECK(requests[1].starts_with("POST "));
    CHECK(requests[1].substr(requests[1].find("\r\n\r\n")) == requests[0].substr(requests[0].find("\r\n\r\n")));
  }
}

TEST_CASE("a redirect to another server is followed there; a circle ends after five") {
  const ScriptedPeer other({{{.bytes = chat_answer()}}});
  const ScriptedPeer first({{{.bytes = http(308, "Location: " + other.url() + "/v1/x\r\n", "")}}});
  CHECK(ask(first.url()).value().front().succeeded());
  CHECK(path_of(other.requests().at(0)) == "/v1/x");
  const ScriptedPeer circle({{{.bytes = http(307, "Location: /again\r\n", "")}}});
  CHECK(ask(circle.url()).value().front().http_status == 307);
  CHECK(circle.requests().size() == 6);
}

TEST_CASE("the key stays with the server that it was given for") {
  const ScriptedPeer other({{{.bytes = chat_answer()}}});
  const ScriptedPeer first({{{.bytes = http(307, "Location: " + other.url() + "/v1/x\r\n", "")}}});
  Asking asking;
  asking.shape.api_key = "sk-secret";
  asking.shape.headers = {{"authorization", "Bearer sk-secret"}, {"X-Other", "stays"}};
  static_cast<void>(ask(first.url(), asking));
  CHECK(first.requests().at(0).find("sk-secret") != std::string::npos);
  REQUIRE(other.requests().size() == 1);
  CHECK(other.requests()[0].find("sk-secret") == std::string::npos);
}

TEST_CASE("case ERR-18: a reused connection that dies without a byte is sent once more, a fresh one is a failure") {
  // The script of the case: connection 1 answers once and dies at the second request, 2 answers and closes, 3 dies.
  const ScriptedPeer peer({{{.bytes = chat_answer()}, {.then = Then::fin}},
                           {{.bytes = testing::last_chat_answer()}},
                           {{.then = Then::fin}}});
  Asking asking;
  asking.requests = 3;
  const auto records = ask(peer.url(), asking);
  REQUIRE(records.ok());
  const json::value right =
      json::parse(read_file(std::string(SCOVILLE_CASES_DIR) + "/ERR-18.expect.json").value()).at("expect");
  REQUIRE(records->size() == right.at("requests").to_number<std::size_t>());
  std::uint32_t ok = 0, stale = 0;
  for (const RequestRecord& record : *records) {
    ok += record.succeeded() ? 1 : 0;
    stale += record.resends;
  }
  CHECK(ok == right.at("ok").to_number<std::uint32_t>());
  CHECK(stale == right.at("stale_reuse").to_number<std::uint32_t>());
  CHECK(event::name_of((*records)[2].failure) == std::string_view(right.at("failed_class").as_string()));
  CHECK((*records)[0].succeeded());
  CHECK((*records)[1].succeeded());
  CHECK((*records)[1].resends == 1);
  CHECK((*records)[1].flags.has(Flag::stale_reuse));
  CHECK_FALSE((*records)[1].reused_connection);
  CHECK((*records)[2].resends == 0);
  CHECK(peer.connections() == 3);
  CHECK(peer.requests().size() == 4);
}

TEST_CASE("time zero of a request that was sent again is its second write") {
  const ScriptedPeer peer({{{.bytes = chat_answer()}, {.then = Then::rst}}, {{.bytes = chat_answer()}}});
  Asking asking;
  asking.requests = 2;
  const auto records = ask(peer.url(), asking);
  REQUIRE(records.ok());
  const RequestRecord& again = records->at(1);
  CHECK(again.resends == 1);
  CHECK(*again.written >= *again.connected);  // the connection was opened for it
}

TEST_CASE("a request is sent again once, not twice") {
  const ScriptedPeer peer({{{.bytes = chat_answer()}, {.then = Then::fin}}, {{.then = Then::fin}}});
  Asking asking;
  asking.requests = 2;
  const auto records = ask(peer.url(), asking);
  REQUIRE(records.ok());
  CHECK(records->at(1).failure == Failure::reset);
  CHECK(records->at(1).resends == 1);
}

TEST_CASE("under TLS a goodbye without an answer counts as none: the request is sent again") {
  const Certificate certificate;
  const ScriptedPeer peer({{{.bytes = chat_answer()}, {.then = Then::fin}}, {{.bytes = chat_answer()}}},
                          {.certificate = &certificate});
  Asking asking;
  asking.requests = 2;
  asking.wire.tls.ca_file = certificate.cert_file();
  const auto records = ask(peer.url(), asking);
  REQUIRE(records.ok());
  CHECK(records->at(0).tls.has_value());
  CHECK(records->at(0).text->answers.at(0) == "ab");
  CHECK(records->at(1).succeeded());
  CHECK(records->at(1).resends == 1);
}

TEST_CASE("the second request goes over the same connection, and says so") {
  const ScriptedPeer peer({{{.bytes = chat_answer()}}});
  Asking asking;
  asking.requests = 2;
  const auto records = ask(peer.url(), asking);
  REQUIRE(records.ok());
  CHECK_FALSE(records->at(0).reused_connection);
  CHECK(records->at(0).tcp.has_value());
  CHECK(records->at(1).reused_connection);
  CHECK_FALSE(records->at(1).tcp.has_value());
  CHECK(peer.connections() == 1);
}

TEST_CASE("case ERR-22: proxy variables of the environment are not used") {
  const Environment a("http_proxy", "http://127.0.0.1:9"), b("HTTP_PROXY", "http://127.0.0.1:9"),
      c("ALL_PROXY", "http://127.0.0.1:9");  // nobody listens there
  const ScriptedPeer peer({{{.bytes = chat_answer()}}});
  CHECK(ask(peer.url()).value().front().succeeded());
  CHECK(path_of(peer.requests().at(0)) == "/v1/chat/completions");
}

TEST_CASE("a request over a proxy, over a unix socket, over TLS with our own certificate") {
  const ScriptedPeer proxy({{{.bytes = chat_answer()}}}, {.is_proxy = true});
  Asking through;
  through.wire.proxy = proxy.url();
  CHECK(ask("http://far.invalid:8000", through).value().front().succeeded());

  const ScriptedPeer local({{{.bytes = chat_answer()}}}, {.unix_path = testing::temporary_path(".sock")});
  const auto records = ask(local.url());
  REQUIRE(records.ok());
  CHECK(records->front().succeeded());
  CHECK(records->front().rtt_us == 0);  // no TCP, no TCP_INFO

  const Certificate server, client;
  const ScriptedPeer secure({{{.bytes = chat_answer()}}}, {.certificate = &server, .client_issuer = &client});
  Asking known;
  known.wire.tls = {.ca_file = server.cert_file(), .cert_file = client.cert_file(), .key_file = client.key_file()};
  CHECK(ask(secure.url(), known).value().front().succeeded());
}

TEST_CASE("a server that turns our missing certificate down is class tls, not reset") {
  const Certificate server, client;
  const ScriptedPeer secure({{{.bytes = chat_answer()}}}, {.certificate = &server, .client_issuer = &client});
  Asking unknown;
  unknown.wire.tls.ca_file = server.cert_file();
  const auto records = ask(secure.url(), unknown);
  // TLS 1.3 refuses after the client's side of the handshake is done: at the knock, or with the request.
  if (records) {
    CHECK(records->front().failure == Failure::tls);
  } else {
    CHECK(records.error().code == ErrorCode::tls);
  }
}

}  // namespace scoville::run
