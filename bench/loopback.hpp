#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What the bare loops share: clocks, sockets on 127.0.0.1, the words of a command line, order statistics.
///
/// Nothing of src/ is used: a yardstick made of the code that it measures would hide that code's cost. For the same
/// reason any failure just ends the program.
namespace scoville::bench {

[[noreturn]] inline void die(const char* what) {
  std::perror(what);
  std::exit(1);
}

inline std::int64_t clock_ns(clockid_t clock) {
  timespec at{};
  clock_gettime(clock, &at);
  return at.tv_sec * 1'000'000'000LL + at.tv_nsec;
}

inline std::int64_t now_ns() { return clock_ns(CLOCK_MONOTONIC); }
/// CPU of this thread, user and system.
inline std::int64_t cpu_ns() { return clock_ns(CLOCK_THREAD_CPUTIME_ID); }

inline void sleep_until(std::int64_t at) {
  const timespec until{static_cast<std::time_t>(at / 1'000'000'000), static_cast<long>(at % 1'000'000'000)};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
}

/// The words behind the program's name: `--name number` and `--name`.
class Words {
 public:
  Words(int argc, char** argv) : words_(argv + 1, static_cast<std::size_t>(argc - 1)) {}

  bool has(std::string_view name) const { return std::find(words_.begin(), words_.end(), name) != words_.end(); }

  /// The number behind `name`; `otherwise` where it is not given.
  std::int64_t number(std::string_view name, std::int64_t otherwise) const {
    const auto at = std::find(words_.begin(), words_.end(), name);
    if (at == words_.end() || at + 1 == words_.end()) return otherwise;
    std::int64_t value = 0;
    const std::string_view text = *(at + 1);
    if (std::from_chars(text.data(), text.data() + text.size(), value).ptr == text.data() + text.size()) return value;
    std::fprintf(stderr, "%s wants a whole number\n", std::string(name).c_str());
    std::exit(2);
  }

 private:
  std::span<char*> words_;
};

inline void allow_descriptors(std::size_t count) {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_cur >= count) return;
  limit.rlim_cur = std::min<rlim_t>(count, limit.rlim_max);
  setrlimit(RLIMIT_NOFILE, &limit);
}

inline sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

inline void set_nodelay(int fd) {
  const int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

inline int connect_to(std::uint16_t port) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = loopback(port);
  if (fd < 0 || connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) die("connect");
  set_nodelay(fd);
  return fd;
}

/// A request for `tokens` tokens, as short as the endpoint takes it.
inline std::string completion_request(std::int64_t tokens) {
  const std::string body = R"({"model":"m","messages":[{"role":"user","content":"x"}],"stream":true,"max_tokens":)" +
                           std::to_string(tokens) + "}";
  return "POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + body;
}

/// The last chunk of a chunked body: what the bare loops know a stream's end by.
inline constexpr std::string_view kEndOfBody = "0\r\n\r\n";

inline bool ends_body(const char* data, std::size_t size) {
  return size >= kEndOfBody.size() &&
         std::memcmp(data + size - kEndOfBody.size(), kEndOfBody.data(), kEndOfBody.size()) == 0;
}

/// x_(⌈pN⌉) of the values; reorders them. 0 where there are none.
inline std::int64_t quantile(std::vector<std::int64_t>& values, double p) {
  if (values.empty()) return 0;
  const auto rank = static_cast<std::size_t>(std::max(1.0, p * static_cast<double>(values.size()) + 0.999999));
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(std::min(rank, values.size()) - 1);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

/// {"p50":…,"p99":…,"max":…}
inline std::string lags_json(std::vector<std::int64_t>& values) {
  return "{\"p50\":" + std::to_string(quantile(values, 0.5)) + ",\"p99\":" + std::to_string(quantile(values, 0.99)) +
         ",\"max\":" + std::to_string(quantile(values, 1.0)) + "}";
}

}  // namespace scoville::bench
