#include "wire/stamp.hpp"

#include <linux/errqueue.h>
#include <linux/net_tstamp.h>

#include <cstring>
#include <ctime>

#include "base/clock.hpp"

namespace scoville::wire {

Instant ClockOffset::refresh() {
  const Nanos wall = wall_now();
  const Instant monotonic = now();
  set(monotonic, wall);
  return monotonic;
}

void ClockOffset::set(Instant monotonic, Nanos wall) {
  const Nanos offset = wall - monotonic.time_since_epoch();
  const Nanos moved = offset - offset_;
  // Read one after the other, the two clocks differ by up to a few µs of preemption; a step is far larger.
  if (has_offset_ && (moved > kStep || moved < -kStep)) {
    ++steps_;
    last_step_ = moved;
  }
  offset_ = offset;
  has_offset_ = true;
}

bool enable_stamps(int fd) {
  const int flags = SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE;
  return setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPING, &flags, sizeof flags) == 0;
}

StampedRead read_stamped(int fd, char* data, std::size_t size) {
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(scm_timestamping)) + 64];
  iovec piece{data, size};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  StampedRead read;
  read.bytes = recvmsg(fd, &message, MSG_DONTWAIT);
  if (read.bytes <= 0) return read;
  for (cmsghdr* each = CMSG_FIRSTHDR(&message); each; each = CMSG_NXTHDR(&message, each)) {
    if (each->cmsg_level != SOL_SOCKET || each->cmsg_type != SCM_TIMESTAMPING) continue;
    timespec stamp{};
    std::memcpy(&stamp, CMSG_DATA(each), sizeof stamp);  // the first of three is the software stamp
    read.wall = std::chrono::seconds(stamp.tv_sec) + Nanos(stamp.tv_nsec);
  }
  return read;
}

}  // namespace scoville::wire
