#include "wire/segments.hpp"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <cstddef>

namespace scoville::wire {
namespace {

/// Empty where the kernel does not count them, or the socket is not TCP.
std::optional<std::uint32_t> data_segments_in(int fd) {
  struct tcp_info info {};
  socklen_t size = sizeof info;
  constexpr socklen_t needed = offsetof(struct tcp_info, tcpi_data_segs_in) + sizeof info.tcpi_data_segs_in;
  if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) != 0 || size < needed) return std::nullopt;
  return info.tcpi_data_segs_in;
}

}  // namespace

void SegmentCount::restart(int fd) {
  *this = SegmentCount();
  before_ = data_segments_in(fd);
  int waiting = 0;  // asked for after the count: what was counted has been read
  if (before_ && (ioctl(fd, FIONREAD, &waiting) != 0 || waiting > 0)) before_.reset();
}

void SegmentCount::count_read(bool filled) {
  ++reads_;
  was_asked_ = false;
  if (filled) before_.reset();
}

bool SegmentCount::is_one_each(int fd) {
  if (!before_) return false;
  if (was_asked_) return answer_;
  was_asked_ = true;
  const std::optional<std::uint32_t> in = data_segments_in(fd);
  answer_ = in && *in == *before_ + reads_;
  was_merged_ = was_merged_ || !answer_;
  return answer_;
}

}  // namespace scoville::wire
