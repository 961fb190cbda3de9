#include "launch/ready.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/clock.hpp"
#include "launch/log_tail.hpp"
#include "text/catalogue.hpp"

namespace scoville::launch {
namespace {

using text::Msg;
using text::say;
using namespace std::chrono_literals;

constexpr Nanos kReport = 10s;
constexpr Nanos kAnswer = 2s;  // an engine that takes a connection and then says nothing

/// What one question came to.
struct Answer {
  bool is_ready = false;
  std::string words;  ///< otherwise: "HTTP 503", "connection refused"
};

Answer ask(const ReadyQuestion& question) {
  wire::TargetOptions options = question.wire;
  options.connect_timeout = std::min<Nanos>(options.connect_timeout, kAnswer);
  const Result<wire::Target> target = wire::make_target(question.base, options);
  if (!target) return {false, target.error().message};
  wire::FetchRequest request;
  request.path = question.path;
  request.headers = question.headers;
  request.headers.push_back({"Connection", "close"});
  request.timeout = kAnswer;
  const Result<wire::Response> response = wire::fetch(*target, request);
  if (!response) return {false, response.error().message};
  return {response->head.status >= 200 && response->head.status < 300, fmt::format("HTTP {}", response->head.status)};
}

Error died(const Engine& engine) {
  const std::optional<Exit> exit = engine.exit();
  const std::string words = telling_line(engine.log_tail());
  return {ErrorCode::aborted, say(Msg::launch_died, describe(exit->code, exit->signal),
                                  words.empty() ? say(Msg::launch_silent) : words, engine.plan().shown)};
}

}  // namespace

Nanos pause_after(Nanos elapsed) { return std::clamp<Nanos>(elapsed / 100, 20ms, 500ms); }

Result<Instant> wait_until_ready(const Engine& engine, const ReadyQuestion& question, const std::atomic<bool>& stop,
                                 const std::function<void(Nanos)>& on_wait) {
  const Instant give_up = engine.started() + question.timeout;
  Instant report = engine.started() + kReport;
  for (;;) {
    const Answer answer = ask(question);
    const Instant at = now();
    if (engine.exit()) return died(engine);  // also with a 2xx: then somebody else has given it
    if (answer.is_ready) return at;
    if (stop) return Error{ErrorCode::aborted, say(Msg::run_stopped)};
    if (at >= give_up)
      return Error{ErrorCode::timed_out,
                   say(Msg::launch_never_ready, question.path, to_seconds(question.timeout), answer.words)};
    if (at >= report) {
      on_wait(at - engine.started());
      report = at + kReport;
    }
    if (engine.has_ended_within(std::min(pause_after(at - engine.started()), give_up - at))) return died(engine);
  }
}

Result<std::uint16_t> free_port() {
  const int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  const bool found = descriptor >= 0 && bind(descriptor, reinterpret_cast<sockaddr*>(&address), length) == 0 &&
                     getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &length) == 0;
  const int fault = errno;
  if (descriptor >= 0) close(descriptor);
  if (!found) return Error{ErrorCode::resource, say(Msg::launch_no_port, std::strerror(fault))};
  return ntohs(address.sin_port);
}

Status check_is_free(const wire::Url& base, const wire::TargetOptions& options) {
  wire::TargetOptions plain = options;
  plain.connect_timeout = std::min<Nanos>(options.connect_timeout, kAnswer);
  const Result<wire::Resolved> resolved = wire::resolve(base);
  if (!resolved) return resolved.error();
  wire::Target probe;
  probe.url = base;
  probe.connect_timeout = plain.connect_timeout;
  const Result<wire::Target> reached = wire::pin_address(std::move(probe), resolved->addresses);
  if (!reached) return Done{};
  return Error{ErrorCode::invalid_argument, say(Msg::launch_port_taken, reached->address.to_string())};
}

}  // namespace scoville::launch
