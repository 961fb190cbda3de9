// The floor of the send lag: requests at absolute times by a thread that does nothing but wait for them.
//
//   spin_send_floor --port P --rate R --seconds S [--connections C]
//
// C keep-alive connections in rotation. Before each due time the answer that the next connection got is read away; then
// the thread sleeps until 120 µs before it (else a scheduler would take the core away for longer, and at a worse
// moment) and reads the clock until the time has come. Lag = clock just before send() − due. A connection whose answer
// has not ended yet is passed over and counted.
#include <sys/prctl.h>

#include <cerrno>

#include "loopback.hpp"

namespace scoville::bench {
namespace {

constexpr std::int64_t kSpin = 120'000;

struct Connection {
  int fd;
  bool is_answered = true;
};

void read_away(Connection& connection) {
  char data[16384];
  for (;;) {
    const ssize_t n = recv(connection.fd, data, sizeof data, MSG_DONTWAIT);
    if (n < 0 && errno == EAGAIN) return;
    if (n <= 0) die("recv");
    if (ends_body(data, static_cast<std::size_t>(n))) connection.is_answered = true;
  }
}

void run(const Words& words) {
  prctl(PR_SET_TIMERSLACK, 1UL);
  const auto port = static_cast<std::uint16_t>(words.number("--port", 8000));
  const std::int64_t rate = words.number("--rate", 5000), total = rate * words.number("--seconds", 10);
  std::vector<Connection> connections;
  for (std::int64_t i = words.number("--connections", 64); i > 0; --i) connections.push_back({connect_to(port)});
  const std::string request = completion_request(1);
  std::vector<std::int64_t> lags;
  lags.reserve(static_cast<std::size_t>(total));
  std::size_t next = 0;
  std::int64_t passed_over = 0;
  const std::int64_t start = now_ns() + 100'000'000;
  for (std::int64_t i = 0; i < total; ++i) {
    const std::int64_t due = start + i * 1'000'000'000 / rate;
    for (;;) {
      next = (next + 1) % connections.size();
      if (!connections[next].is_answered) read_away(connections[next]);
      if (connections[next].is_answered) break;
      ++passed_over;
    }
    sleep_until(due - kSpin);
    std::int64_t clock = now_ns();
    while (clock < due) clock = now_ns();
    lags.push_back(clock - due);
    if (send(connections[next].fd, request.data(), request.size(), MSG_NOSIGNAL) < 0) die("send");
    connections[next].is_answered = false;
  }
  std::printf("{\"requests\":%lld,\"passed_over\":%lld,\"send_lag_ns\":%s}\n", static_cast<long long>(lags.size()),
              static_cast<long long>(passed_over), lags_json(lags).c_str());
}

}  // namespace
}  // namespace scoville::bench

int main(int argc, char** argv) { scoville::bench::run(scoville::bench::Words(argc, argv)); }
