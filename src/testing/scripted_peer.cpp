#include "testing/scripted_peer.hpp"

#include <fmt/format.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>

#include "base/check.hpp"
#include "wire/socket.hpp"
#include "wire/url.hpp"

namespace scoville::testing {

/// One connection, blocking, plain or under TLS.
class ScriptedPeer::Line {
 public:
  explicit Line(wire::Fd fd) : fd_(std::move(fd)) {}
  ~Line() { SSL_free(ssl_); }

  bool begin_tls(ssl_ctx_st* context) {
    ssl_ = SSL_new(context);
    SSL_set_fd(ssl_, fd_.get());
    return SSL_accept(ssl_) == 1;
  }

  /// More bytes onto `bytes`; false at the end.
  bool read(std::string& bytes) {
    char buffer[4096];
    const auto n = ssl_ ? SSL_read(ssl_, buffer, sizeof buffer) : recv(fd_.get(), buffer, sizeof buffer, 0);
    if (n > 0) bytes.append(buffer, static_cast<std::size_t>(n));
    return n > 0;
  }

  void write(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto n = ssl_ ? SSL_write(ssl_, bytes.data(), static_cast<int>(bytes.size()))
                          : send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (n <= 0) return;
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
  }

  void finish() {
    if (ssl_) SSL_shutdown(ssl_);
    shutdown(fd_.get(), SHUT_RDWR);
  }

  void reset() {
    const linger at_once{1, 0};
    setsockopt(fd_.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    fd_.reset();
  }

  /// From another thread: what blocks on this returns.
  void interrupt() { shutdown(fd_.get(), SHUT_RDWR); }

 private:
  wire::Fd fd_;
  SSL* ssl_ = nullptr;
};

namespace {

SSL_CTX* make_context(const Certificate& own, const Certificate* client_issuer) {
  SSL_CTX* context = SSL_CTX_new(TLS_server_method());
  SSL_CTX_use_certificate_chain_file(context, own.cert_file().c_str());
  SSL_CTX_use_PrivateKey_file(context, own.key_file().c_str(), SSL_FILETYPE_PEM);
  if (client_issuer) {
    SSL_CTX_load_verify_locations(context, client_issuer->cert_file().c_str(), nullptr);
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  }
  return context;
}

/// Length of the whole request at the front of `bytes`; npos while some of it is to come.
std::size_t request_length(const std::string& bytes) {
  const std::size_t head = bytes.find("\r\n\r\n");
  if (head == std::string::npos) return head;
  constexpr std::string_view name = "\r\nContent-Length: ";
  const std::size_t length = bytes.find(name);
  const std::size_t body = length < head ? std::stoul(bytes.substr(length + name.size())) : 0;
  return bytes.size() >= head + 4 + body ? head + 4 + body : std::string::npos;
}

}  // namespace

ScriptedPeer::ScriptedPeer(std::vector<Answers> connections, Options options)
    : scripts_(std::move(connections)), options_(std::move(options)) {
  std::signal(SIGPIPE, SIG_IGN);  // SSL_write has no MSG_NOSIGNAL
  if (options_.certificate) tls_ = make_context(*options_.certificate, options_.client_issuer);
  wire::Url where;
  where.host = options_.host;
  where.unix_path = options_.unix_path;
  refusal_ = wire::Fd(eventfd(0, EFD_CLOEXEC));
  listener_ = wire::listen_on(wire::resolve(where).value().addresses.front(), 64).value();
  port_ = wire::local_port(listener_.get());
  acceptor_ = std::thread([this] { accept_all(); });
}

ScriptedPeer::~ScriptedPeer() {
  die();
  acceptor_.join();
  for (std::thread& thread : threads_) thread.join();
  lines_.clear();
  SSL_CTX_free(tls_);
  std::error_code ignored;
  if (!options_.unix_path.empty()) std::filesystem::remove(options_.unix_path, ignored);
}

std::string ScriptedPeer::url() const {
  if (!options_.unix_path.empty()) return "unix://" + options_.unix_path;
  const bool is_six = options_.host.find(':') != std::string::npos;
  return fmt::format("{}://{}:{}", tls_ ? "https" : "http", is_six ? "[" + options_.host + "]" : options_.host, port_);
}

std::vector<std::string> ScriptedPeer::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

std::size_t ScriptedPeer::connections() const {
  const std::lock_guard lock(mutex_);
  return scripts_used_;
}

void ScriptedPeer::refuse() {
  shutdown(listener_.get(), SHUT_RDWR);
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(refusal_.get(), &one, sizeof one);
}

void ScriptedPeer::die() {
  refuse();
  const std::lock_guard lock(mutex_);
  is_dead_ = true;
  for (const auto& line : lines_) line->interrupt();
  came_.notify_all();
}

void ScriptedPeer::accept_all() {
  for (;;) {
    pollfd waiting[]{{listener_.get(), POLLIN, 0}, {refusal_.get(), POLLIN, 0}};
    poll(waiting, 2, -1);
    if (waiting[1].revents != 0) return;
    wire::Fd fd(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!fd && errno == EMFILE) return;  // a test has taken the descriptors away
    if (!fd) continue;
    const std::lock_guard lock(mutex_);
    if (is_dead_) return;
    Line& line = *lines_.emplace_back(std::make_unique<Line>(std::move(fd)));
    threads_.emplace_back([this, &line] { serve(line); });
  }
}

const Answers& ScriptedPeer::next_script() {
  const std::size_t place = std::min(scripts_used_, scripts_.size() - 1);
  ++scripts_used_;
  return scripts_[place];
}

void ScriptedPeer::serve(Line& line) {
  std::string bytes;
  const auto next_request = [&]() -> std::string {
    std::size_t length = std::string::npos;
    while ((length = request_length(bytes)) == std::string::npos) {
      if (!line.read(bytes)) return "";
    }
    std::string request = bytes.substr(0, length);
    bytes.erase(0, length);
    return request;
  };
  if (options_.is_proxy) {
    std::string wish = next_request();
    if (wish.empty()) return;
    {
      const std::lock_guard lock(mutex_);
      requests_.push_back(std::move(wish));
    }
    line.write("HTTP/1.1 200 Connection established\r\n\r\n");
  }
  if (tls_ && !line.begin_tls(tls_)) {
    line.finish();
    return;
  }
  const Answers* script = nullptr;
  for (std::size_t i = 0;; ++i) {
    std::string request = next_request();
    if (request.empty()) break;
    std::size_t count = 0;
    {
      const std::lock_guard lock(mutex_);
      if (!script) script = &next_script();
      requests_.push_back(std::move(request));
      count = requests_.size();
      came_.notify_all();
    }
    if (options_.on_request) options_.on_request(count);
    if (!answer(line, (*script)[std::min(i, script->size() - 1)])) return;
  }
  line.finish();
}

/// False: the connection is over.
bool ScriptedPeer::answer(Line& line, const Answer& answer) {
  line.write(answer.bytes);
  {
    std::unique_lock lock(mutex_);
    came_.wait(lock, [&] { return is_dead_ || requests_.size() >= answer.until_requests; });
  }
  line.write(answer.rest);
  std::string ignored;
  switch (answer.then) {
    case Answer::Then::keep:
      return true;
    case Answer::Then::hold:
      while (line.read(ignored)) continue;
      [[fallthrough]];
    case Answer::Then::fin:
      line.finish();
      return false;
    case Answer::Then::rst: {
      const std::lock_guard lock(mutex_);  // die() looks at the descriptor too
      line.reset();
      return false;
    }
  }
  SCOVILLE_CHECK(false, "every end has its branch");
}

}  // namespace scoville::testing
