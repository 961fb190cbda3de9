#include "endpoint/scripted_server.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.hpp"
#include "base/json.hpp"
#include "wire/fd.hpp"
#include "wire/fetch.hpp"
#include "wire/resolve.hpp"
#include "wire/target.hpp"
#include "wire/url.hpp"

namespace scoville::endpoint {
namespace {

/// A server in a thread of its own, for as long as this lives. Nothing here looks at how long anything takes: the
/// schedules are at or near zero, and what is checked is the order of the times that the answers carry.
class Served {
 public:
  explicit Served(const char* script, const ListenOptions& options = {}) : server_(plan::parse_script(script).value()) {
    const Status opened = server_.open(options);
    REQUIRE_MESSAGE(opened.ok(), (opened ? "" : opened.error().message));
    thread_ = std::thread([this] { server_.run(stop_); });
  }
  ~Served() { finish(); }

  EndpointStats finish() {
    stop_ = true;
    server_.wake();
    if (thread_.joinable()) thread_.join();
    return server_.stats();
  }

  std::string url() const { return server_.url(); }

  wire::Response fetch(const char* method, const char* path, const std::string& body = "",
                       const wire::TlsOptions& tls = {}) const {
    wire::TargetOptions options;
    options.tls = tls;
    const auto target = wire::make_target(wire::parse_url(url()).value(), options);
    REQUIRE_MESSAGE(target.ok(), (target ? "" : target.error().message));
    wire::FetchRequest request;
    request.method = method;
    request.path = path;
    request.body = body;
    auto response = wire::fetch(*target, request);
    REQUIRE_MESSAGE(response.ok(), (response ? "" : response.error().message));
    return *std::move(response);
  }

  /// A blocking connection.
  wire::Fd connect() const {
    const auto address = wire::resolve(wire::parse_url(url()).value()).value().addresses.front();
    wire::Fd fd(socket(address.family(), SOCK_STREAM | SOCK_CLOEXEC, 0));
    REQUIRE(::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address.storage), address.length) == 0);
    return fd;
  }

 private:
  ScriptedServer server_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

/// Reads until `marker` has come `times` times, or the connection ends; `reset` says how it did.
std::string read_until(const wire::Fd& fd, std::string_view marker, int times, bool* reset = nullptr) {
  std::string all;
  char buffer[4096];
  for (;;) {
    int found = 0;
    for (std::size_t at = 0; (at = all.find(marker, at)) != std::string::npos; at += marker.size()) ++found;
    if (found >= times) return all;
    const ssize_t n = recv(fd.get(), buffer, sizeof buffer, 0);
    if (n <= 0) {
      if (reset) *reset = n < 0 && errno == ECONNRESET;
      return all;
    }
    all.append(buffer, static_cast<std::size_t>(n));
  }
}

std::string post(const char* path, const std::string& body, const char* more_headers = "") {
  return fmt::format("POST {} HTTP/1.1\r\nHost: h\r\n{}Content-Length: {}\r\n\r\n{}", path, more_headers, body.size(),
                     body);
}

void send_all(const wire::Fd& fd, const std::string& bytes) {
  REQUIRE(send(fd.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size()));
}

const std::string kChat =
    R"({"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"a b"}]})";
const std::string kCompletion = R"({"model":"m","prompt":"a b c","max_tokens":2})";
constexpr std::string_view kEnd = "\r\n0\r\n\r\n";

/// All numbers that follow `"key":`, in order.
std::vector<std::int64_t> numbers(std::string_view text, const std::string& key) {
  std::vector<std::int64_t> found;
  const std::string marker = "\"" + key + "\":";
  for (std::size_t at = 0; (at = text.find(marker, at)) != std::string_view::npos;) {
    at += marker.size();
    found.push_back(std::stoll(std::string(text.substr(at, 20))));
  }
  return found;
}

std::string temporary(const char* name) {
  return (std::filesystem::temp_directory_path() / fmt::format("scoville-{}-{}", getpid(), name)).string();
}

/// Writes a key and a certificate for 127.0.0.1, signed by itself.
void write_certificate(const std::string& cert_file, const std::string& key_file) {
  EVP_PKEY* key = EVP_EC_gen("P-256");
  X509* cert = X509_new();
  ASN1_INTEGER_set(X509_get_serialNumber(cert), 1);
  X509_gmtime_adj(X509_getm_notBefore(cert), -60);
  X509_gmtime_adj(X509_getm_notAfter(cert), 3600);
  X509_set_pubkey(cert, key);
  const auto* name = reinterpret_cast<const unsigned char*>("127.0.0.1");
  X509_NAME_add_entry_by_txt(X509_get_subject_name(cert), "CN", MBSTRING_ASC, name, -1, -1, 0);
  X509_set_issuer_name(cert, X509_get_subject_name(cert));
  X509_sign(cert, key, EVP_sha256());
  FILE* out = std::fopen(cert_file.c_str(), "w");
  PEM_write_X509(out, cert);
  std::fclose(out);
  out = std::fopen(key_file.c_str(), "w");
  PEM_write_PrivateKey(out, key, nullptr, nullptr, 0, nullptr, nullptr);
  std::fclose(out);
  X509_free(cert);
  EVP_PKEY_free(key);
}

}  // namespace

TEST_CASE("a stream over a socket: emit times in order, each after it was due, none before the request came") {
  Served served("ttft=1ms,itl=100us,tokens=20");
  const wire::Fd fd = served.connect();
  const std::int64_t before = now().time_since_epoch().count();
  send_all(fd, post("/v1/chat/completions", kChat));
  const std::string answer = read_until(fd, kEnd, 1);
  const std::int64_t after = now().time_since_epoch().count();
  CHECK(answer.starts_with("HTTP/1.1 200 OK\r\n"));
  const auto emits = numbers(answer, "emit_ns");
  REQUIRE(emits.size() == 20);
  const std::int64_t t0 = numbers(answer, "t0_ns").at(0), first_due = numbers(answer, "first_due_ns").at(0);
  // The stamp is of the wall clock, turned back: it may be off by the reading of the two clocks.
  CHECK(t0 >= before - 1'000'000);
  CHECK(first_due == t0 + 1'000'000);
  for (std::size_t k = 0; k < emits.size(); ++k) CHECK(emits[k] >= first_due + static_cast<std::int64_t>(k) * 100'000);
  CHECK(std::is_sorted(emits.begin(), emits.end()));
  CHECK(emits.back() <= after);
  const EndpointStats stats = served.finish();
  CHECK(stats.answered == 1);
  CHECK(stats.kernel_stamps <= 1);  // the kernel begins to stamp a moment after it was asked to
  CHECK(stats.tokens == 20);
  CHECK(stats.writes == 20);
  REQUIRE(stats.lag_max);
  CHECK(*stats.lag_p50 <= *stats.lag_p99);
  CHECK(*stats.lag_p99 <= *stats.lag_max);
}

TEST_CASE("every path answers what it is asked, and anything else is an error object") {
  Served served("ttft=0s,itl=0s,tokens=3,model=m");
  CHECK(served.fetch("GET", "/health").head.status == 200);
  CHECK(served.fetch("GET", "/v1/models?limit=1").body.find("\"m\"") != std::string::npos);
  CHECK(served.fetch("POST", "/tokenize", R"({"prompt":"a b"})").body.starts_with(R"({"count":3,)"));
  const auto completion = served.fetch("POST", "/v1/completions", kCompletion);
  CHECK(json::parse(completion.body).at_pointer("/usage/completion_tokens") == 2);
  CHECK(json::parse(completion.body).at_pointer("/usage/prompt_tokens") == 4);
  for (const auto& [method, path, body, status] : {std::tuple{"GET", "/nothing", "", 404},
                                                   {"GET", "/v1/completions", "", 404},
                                                   {"POST", "/v1/completions", "{", 400},
                                                   {"POST", "/v1/completions", "{}", 400},
                                                   {"POST", "/v1/chat/completions", R"({"model":"m"})", 400},
                                                   {"POST", "/v1/completions", R"({"model":"x","prompt":"a"})", 404},
                                                   {"POST", "/tokenize", "{}", 400}}) {
    CAPTURE(path);
    CAPTURE(body);
    const auto answer = served.fetch(method, path, body);
    CHECK(answer.head.status == status);
    CHECK(json::parse(answer.body).at_pointer("/error/message").is_string());
  }
  CHECK(served.fetch("GET", "/metrics").body.find("scoville:requests_refused_total{model_name=\"m\"} 4\n") !=
        std::string::npos);
}

TEST_CASE("requests that come ahead of their turn are answered in order on one connection") {
  Served served("ttft=1ms,itl=0s,tokens=2");
  const wire::Fd fd = served.connect();
  const std::string chat = post("/v1/chat/completions", kChat);
  send_all(fd, chat + chat + post("/v1/completions", kCompletion, "Connection: close\r\n"));
  const std::string all = read_until(fd, "never", 1);  // to the end of the connection
  CHECK(numbers(all, "t0_ns").size() == 3);
  CHECK(all.find("chatcmpl-0") < all.find("chatcmpl-1"));
  CHECK(all.find("chatcmpl-1") < all.find("cmpl-2"));
  CHECK(served.finish().answered == 3);
}

TEST_CASE("one slot answers one request at a time, in the order of the queue, and refuses beyond it") {
  Served served("ttft=20ms,itl=0s,tokens=1,slots=1,queue=1");
  const wire::Fd first = served.connect(), second = served.connect(), third = served.connect();
  const std::string request = post("/v1/chat/completions", kChat);
  send_all(first, request);
  read_until(first, "\"role\"", 1);  // it has its slot
  send_all(second, request);
  read_until(second, "\"role\"", 1);  // it waits
  send_all(third, request);
  CHECK(read_until(third, "\"code\":429", 1).find("Retry-After") != std::string::npos);
  const std::string one = read_until(first, kEnd, 1), two = read_until(second, kEnd, 1);
  CHECK(numbers(one, "queued_ns").at(0) == 0);
  // The slot was free when the first answer had been due, not when it was sent.
  CHECK(numbers(two, "t0_ns").at(0) + numbers(two, "queued_ns").at(0) == numbers(one, "first_due_ns").at(0));
  const EndpointStats stats = served.finish();
  CHECK(stats.answered == 2);
  CHECK(stats.refused == 1);
}

TEST_CASE("a client that leaves gives its slot back") {
  Served served("ttft=1h,tokens=1,slots=1");
  {
    const wire::Fd gone = served.connect();
    send_all(gone, post("/v1/chat/completions", kChat));
    read_until(gone, "\"role\"", 1);
  }
  const wire::Fd waiting = served.connect();
  send_all(waiting, post("/v1/chat/completions", kChat));
  read_until(waiting, "\"role\"", 1);
  const EndpointStats stats = served.finish();
  CHECK(stats.abandoned == 1);
  CHECK(stats.running == 1);
  CHECK(stats.waiting == 0);
}

TEST_CASE("scripted ends of a connection: FIN, RST, and idle time") {
  const std::string request = post("/v1/chat/completions", kChat);
  bool reset = true;
  {
    Served served("ttft=0s,itl=0s,close_after=1");
    const wire::Fd fd = served.connect();
    send_all(fd, request);
    const std::string all = read_until(fd, kEnd, 1, &reset);
    CHECK_FALSE(reset);
    CHECK(numbers(all, "emit_ns").size() == 1);
    CHECK(served.finish().failed == 1);
  }
  {
    Served served("ttft=0s,itl=0s,reset_after=1");
    const wire::Fd fd = served.connect();
    send_all(fd, request);
    read_until(fd, kEnd, 1, &reset);
    CHECK(reset);
  }
  {
    Served served("ttft=0s,itl=0s,tokens=1,keep_alive=1ms");
    const wire::Fd fd = served.connect();
    send_all(fd, request);
    const std::string all = read_until(fd, "never", 1, &reset);
    CHECK_FALSE(reset);
    CHECK(all.find(kEnd) != std::string::npos);
  }
}

TEST_CASE("a comment is sent while a client waits") {
  Served served("ttft=20ms,ping=5ms,tokens=1");
  const wire::Fd fd = served.connect();
  send_all(fd, post("/v1/chat/completions", kChat));
  const std::string all = read_until(fd, kEnd, 1);
  CHECK(all.find(": ping\n\n") != std::string::npos);
  CHECK(all.find(": ping\n\n") < all.find("emit_ns"));
}

TEST_CASE("a client that reads late finds all that was sent to it") {
  // 40,000 events of over 200 bytes: more than the buffers of both sockets take.
  Served served("ttft=0s,itl=0s,tokens=40000");
  const wire::Fd fd = served.connect();
  send_all(fd, post("/v1/chat/completions", kChat));
  CHECK(served.fetch("GET", "/health").head.status == 200);  // others are served meanwhile
  std::string all;
  char buffer[65536];
  while (!all.ends_with(kEnd)) {
    const ssize_t n = recv(fd.get(), buffer, sizeof buffer, 0);
    REQUIRE(n > 0);
    all.append(buffer, static_cast<std::size_t>(n));
  }
  CHECK(numbers(all, "emit_ns").size() == 40000);
}

TEST_CASE("bytes that are no request are refused and the connection closed") {
  Served served("");
  const wire::Fd fd = served.connect();
  send_all(fd, "SSH-2.0-OpenSSH_9.2\r\n\r\n");
  CHECK(read_until(fd, "never", 1).starts_with("HTTP/1.1 400 Bad Request\r\n"));
}

TEST_CASE("a unix socket and IPv6 are served too") {
  ListenOptions options;
  options.unix_path = temporary("endpoint.sock");
  {
    Served served("ttft=0s,itl=0s", options);
    CHECK(served.fetch("POST", "/v1/completions", kCompletion).head.status == 200);
    CHECK(served.finish().kernel_stamps == 0);
  }
  CHECK_FALSE(std::filesystem::exists(options.unix_path));
  ListenOptions six;
  six.host = "::1";
  ScriptedServer server{plan::Script{}};
  if (!server.open(six)) return;  // a machine without IPv6
  CHECK(server.url() == fmt::format("http://[::1]:{}", server.port()));
}

TEST_CASE("TLS: the same answers, over a certificate that the client checks") {
  ListenOptions options;
  options.cert_file = temporary("cert.pem");
  options.key_file = temporary("key.pem");
  write_certificate(options.cert_file, options.key_file);
  {
    Served served("ttft=0s,itl=0s,tokens=30", options);
    CHECK(served.url().starts_with("https://"));
    wire::TlsOptions insecure;
    insecure.verify = false;
    const auto answer = served.fetch("POST", "/v1/chat/completions", kChat, insecure);
    CHECK(answer.head.is_chunked);
    CHECK(numbers(answer.body, "emit_ns").size() == 30);
  }
  std::filesystem::remove(options.cert_file);
  std::filesystem::remove(options.key_file);
}

TEST_CASE("an address or certificate that cannot be used is one clear error") {
  ScriptedServer server{plan::Script{}};
  ListenOptions options;
  options.cert_file = "/nonexistent/cert.pem";
  const Status no_certificate = server.open(options);
  REQUIRE_FALSE(no_certificate);
  CHECK(no_certificate.error().message.find("/nonexistent/cert.pem") != std::string::npos);
  options.cert_file.clear();
  options.unix_path = std::string(200, 'x');
  CHECK_FALSE(server.open(options));
  Served served("");
  ListenOptions taken;
  taken.port = wire::parse_url(served.url()).value().port;
  const Status busy = server.open(taken);
  REQUIRE_FALSE(busy);
  CHECK(busy.error().message.find(std::to_string(taken.port)) != std::string::npos);
}

}  // namespace scoville::endpoint
