// The yardstick of the scripted endpoint: absolute deadlines, clock, send(), nothing else.
//
//   bare_send_loop --connections C --tokens N [--itl-us U]
//
// Prints its port on the first line, accepts C connections, reads one request from each, answers with a chunked head,
// then sends N chunks to each, U µs apart counted from its request, each with the clock reading of its send as 19
// digits in about 250 bytes (as long as the endpoint's own events). All periods are equal, so a rotation replaces the
// heap of timers.
#include <sys/prctl.h>

#include "loopback.hpp"

namespace scoville::bench {
namespace {

constexpr std::string_view kHead =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
constexpr std::string_view kFront =
    R"(data: {"id":"chatcmpl-0","object":"chat.completion.chunk","created":1700000000,"model":"m",)"
    R"("choices":[{"index":0,)"
    R"("delta":{"content":" word"},"logprobs":null,"finish_reason":null}],"emit_ns":)";
constexpr std::string_view kDigits = "0000000000000000000", kBack = "}\n\n";

/// One event in its HTTP chunk, and where its digits stand.
class Event {
 public:
  Event() {
    char size[17];
    char* const end = std::to_chars(size, size + 16, kFront.size() + kDigits.size() + kBack.size(), 16).ptr;
    bytes_.assign(size, end).append("\r\n").append(kFront);
    digits_ = bytes_.size();
    bytes_.append(kDigits).append(kBack).append("\r\n");
  }
  std::string_view stamped(std::int64_t at) {
    // A clock of fewer digits keeps its zeros in front: as many bytes, the same work.
    char text[20];
    const auto length = static_cast<std::size_t>(std::to_chars(text, text + 20, at).ptr - text);
    std::memcpy(bytes_.data() + digits_ + kDigits.size() - length, text, length);
    return bytes_;
  }

 private:
  std::string bytes_;
  std::size_t digits_ = 0;
};

struct Stream {
  int fd;
  std::int64_t due;
};

void send_all(int fd, std::string_view bytes) {
  if (send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(bytes.size())) die("send");
}

int listen_anywhere() {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = loopback(0);
  socklen_t length = sizeof address;
  if (bind(listener, reinterpret_cast<const sockaddr*>(&address), length) != 0 || listen(listener, 4096) != 0)
    die("bind");
  getsockname(listener, reinterpret_cast<sockaddr*>(&address), &length);
  std::printf("%d\n", ntohs(address.sin_port));
  std::fflush(stdout);
  return listener;
}

/// The connections in the order of their requests, each due one gap after its own. The peer connects all before it
/// asks.
std::vector<Stream> accept_streams(int listener, std::size_t count, std::int64_t gap) {
  std::vector<Stream> streams;
  std::vector<int> fds;
  for (std::size_t i = 0; i < count; ++i) {
    const int fd = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0) die("accept4");
    set_nodelay(fd);
    fds.push_back(fd);
  }
  for (const int fd : fds) {
    char request[4096];
    if (recv(fd, request, sizeof request, 0) <= 0) die("recv");
    streams.push_back({fd, now_ns() + gap});
    send_all(fd, kHead);
  }
  return streams;
}

void run(const Words& words) {
  const auto connections = static_cast<std::size_t>(words.number("--connections", 1));
  const std::int64_t tokens = words.number("--tokens", 100), gap = words.number("--itl-us", 10'000) * 1000;
  allow_descriptors(connections + 64);
  prctl(PR_SET_TIMERSLACK, 1UL);
  std::vector<Stream> streams = accept_streams(listen_anywhere(), connections, gap);
  Event event;
  std::vector<std::int64_t> lags;
  lags.reserve(static_cast<std::size_t>(tokens) * connections);
  const std::int64_t cpu_before = cpu_ns();
  std::int64_t clock = now_ns();
  for (std::int64_t i = 0; i < tokens; ++i) {
    for (Stream& stream : streams) {
      if (clock < stream.due) sleep_until(stream.due);
      clock = now_ns();
      lags.push_back(clock - stream.due);
      send_all(stream.fd, event.stamped(clock));
      stream.due += gap;
    }
  }
  const std::int64_t cpu = cpu_ns() - cpu_before;
  for (const Stream& stream : streams) send_all(stream.fd, kEndOfBody);
  const auto events = static_cast<long long>(lags.size());
  std::printf("{\"events\":%lld,\"cpu_ns\":%lld,\"cpu_ns_per_event\":%.1f,\"emit_lag_ns\":%s}\n", events,
              static_cast<long long>(cpu), static_cast<double>(cpu) / static_cast<double>(events),
              lags_json(lags).c_str());
}

}  // namespace
}  // namespace scoville::bench

int main(int argc, char** argv) { scoville::bench::run(scoville::bench::Words(argc, argv)); }
