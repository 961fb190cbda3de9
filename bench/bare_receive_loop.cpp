// The yardstick of the client: epoll, recvmsg with kernel stamps, nothing else.
//
//   bare_receive_loop --port P --connections C --seconds S [--tokens N] [--spread-us U] [--emit]
//
// C connections to a scripted endpoint, each sending the same request again as soon as its stream has ended, until S
// seconds are over; then the streams that run are read to their end. An event is one token of a finished stream, so
// that counting costs nothing per event. --spread-us spaces the first requests evenly over that time. --emit also reads
// the emit time out of each event: the error of stamps when nothing is in their way; its CPU figure is no yardstick
// then.
#include "loopback.hpp"

#include <linux/errqueue.h>
#include <linux/net_tstamp.h>
#include <sys/epoll.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <memory>

namespace scoville::bench {
namespace {

constexpr std::size_t kReadSize = 65536;
constexpr std::int64_t kNone = INT64_MIN;

struct Read {
  ssize_t bytes = 0;
  std::int64_t wall = 0;  ///< kernel stamp, CLOCK_REALTIME
};

Read read_stamped(int fd, char* data) {
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(scm_timestamping)) + 64];
  iovec piece{data, kReadSize};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  Read read;
  read.bytes = recvmsg(fd, &message, MSG_DONTWAIT);
  if (read.bytes <= 0) return read;
  for (cmsghdr* each = CMSG_FIRSTHDR(&message); each; each = CMSG_NXTHDR(&message, each)) {
    if (each->cmsg_level != SOL_SOCKET || each->cmsg_type != SCM_TIMESTAMPING) continue;
    timespec stamp{};
    std::memcpy(&stamp, CMSG_DATA(each), sizeof stamp);
    read.wall = stamp.tv_sec * 1'000'000'000LL + stamp.tv_nsec;
  }
  return read;
}

/// Arrival − emit time of each event, and how that differs from one event of a stream to the next.
class EmitErrors {
 public:
  void take(std::string_view bytes, std::int64_t at, std::int64_t& before) {
    constexpr std::string_view key = "\"emit_ns\":";
    for (std::size_t place = bytes.find(key); place != std::string_view::npos; place = bytes.find(key, place)) {
      place += key.size();
      std::int64_t emitted = 0;
      std::from_chars(bytes.data() + place, bytes.data() + bytes.size(), emitted);
      const std::int64_t error = at - emitted;
      errors_.push_back(error);
      if (before != kNone) {
        const auto difference = static_cast<double>(error - before);
        sum_ += difference;
        squares_ += difference * difference;
        ++gaps_;
      }
      before = error;
    }
  }

  std::string json() {
    const double n = static_cast<double>(std::max<std::size_t>(gaps_, 1)), mean = sum_ / n;
    return ",\"emit\":{\"n\":" + std::to_string(errors_.size()) + ",\"error_ns\":" + lags_json(errors_) +
           ",\"icl_error_sd_ns\":" + std::to_string(std::sqrt(std::max(0.0, squares_ / n - mean * mean))) + "}";
  }

 private:
  std::vector<std::int64_t> errors_;
  double sum_ = 0, squares_ = 0;
  std::size_t gaps_ = 0;
};

class Receiver {
 public:
  explicit Receiver(const Words& words)
      : connections_(static_cast<std::size_t>(words.number("--connections", 1))),
        tokens_(words.number("--tokens", 100)),
        length_(words.number("--seconds", 5) * 1'000'000'000),
        spread_(words.number("--spread-us", 0) * 1000),
        reads_emit_(words.has("--emit")),
        request_(completion_request(tokens_)),
        buffer_(std::make_unique<char[]>(kReadSize)) {
    allow_descriptors(connections_ + 64);
    epoll_ = epoll_create1(EPOLL_CLOEXEC);
    const auto port = static_cast<std::uint16_t>(words.number("--port", 8000));
    for (std::size_t i = 0; i < connections_; ++i) {
      const int fd = connect_to(port);
      const int flags = SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE;
      if (setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPING, &flags, sizeof flags) != 0) die("SO_TIMESTAMPING");
      epoll_event event{EPOLLIN, {}};
      event.data.u64 = i;
      epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event);
      streams_.push_back({fd, kNone});
    }
  }

  void run() {
    const std::int64_t cpu_before = cpu_ns();
    started_ = now_ns();
    while (running_ > 0 || begun_ < connections_) {
      begin_due();
      turn();
    }
    const std::int64_t cpu = cpu_ns() - cpu_before, wall = now_ns() - started_;
    const std::int64_t events = streams_ended_ * tokens_;
    std::printf(
        "{\"events\":%lld,\"streams\":%lld,\"reads\":%lld,\"waits\":%lld,\"unstamped\":%lld,\"wall_ns\":%lld,"
        "\"cpu_ns\":%lld,\"cpu_ns_per_event\":%.1f%s}\n",
        ll(events), ll(streams_ended_), ll(reads_), ll(waits_), ll(unstamped_), ll(wall), ll(cpu),
        static_cast<double>(cpu) / static_cast<double>(std::max<std::int64_t>(events, 1)),
        reads_emit_ ? errors_.json().c_str() : "");
  }

 private:
  struct Stream {
    int fd;
    std::int64_t error_before;
  };

  static long long ll(std::int64_t value) { return value; }

  /// When the first request of the next connection leaves.
  std::int64_t next_begin() const {
    return started_ + spread_ * static_cast<std::int64_t>(begun_) / static_cast<std::int64_t>(connections_);
  }

  void begin_due() {
    while (begun_ < connections_ && (spread_ == 0 || now_ns() >= next_begin())) {
      request(streams_[begun_++]);
      ++running_;
    }
  }

  void request(Stream& stream) {
    stream.error_before = kNone;
    if (send(stream.fd, request_.data(), request_.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(request_.size())) {
      die("send");
    }
  }

  int wait() {
    const int room = static_cast<int>(batch_.size());
    if (begun_ == connections_) return epoll_wait(epoll_, batch_.data(), room, -1);
    const timespec timeout{0, static_cast<long>(std::clamp<std::int64_t>(next_begin() - now_ns(), 0, 999'999'999))};
    return epoll_pwait2(epoll_, batch_.data(), room, &timeout, nullptr);
  }

  void turn() {
    const int count = wait();
    ++waits_;
    if (reads_emit_) offset_ = clock_ns(CLOCK_REALTIME) - now_ns();
    for (int i = 0; i < count; ++i) read(streams_[batch_[static_cast<std::size_t>(i)].data.u64]);
  }

  void read(Stream& stream) {
    const Read got = read_stamped(stream.fd, buffer_.get());
    if (got.bytes < 0 && errno == EAGAIN) return;
    if (got.bytes <= 0) die("recvmsg");
    ++reads_;
    unstamped_ += got.wall == 0;
    const auto size = static_cast<std::size_t>(got.bytes);
    if (reads_emit_) errors_.take({buffer_.get(), size}, got.wall - offset_, stream.error_before);
    if (!ends_body(buffer_.get(), size)) return;
    ++streams_ended_;
    if (now_ns() - started_ < length_) {
      request(stream);
    } else {
      --running_;
      epoll_ctl(epoll_, EPOLL_CTL_DEL, stream.fd, nullptr);  // that the sender closes it is no event
    }
  }

  std::size_t connections_;
  std::int64_t tokens_, length_, spread_;
  bool reads_emit_;
  std::string request_;
  std::unique_ptr<char[]> buffer_;
  int epoll_ = -1;
  std::array<epoll_event, 256> batch_{};
  std::vector<Stream> streams_;
  std::size_t begun_ = 0, running_ = 0;
  std::int64_t started_ = 0, offset_ = 0, streams_ended_ = 0, reads_ = 0, waits_ = 0, unstamped_ = 0;
  EmitErrors errors_;
};

}  // namespace
}  // namespace scoville::bench

int main(int argc, char** argv) {
  const scoville::bench::Words words(argc, argv);
  scoville::bench::Receiver(words).run();
}
