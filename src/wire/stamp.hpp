#pragma once

#include <sys/socket.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/units.hpp"

namespace scoville::wire {

/// When the bytes of one read arrived.
///
/// The kernel merges queued segments and keeps the newest stamp alone: `at` is exact for the last byte of the read. All
/// bytes of the read came within (last_empty, at].
struct ReadStamp {
  Instant at{};          ///< kernel receive stamp of the newest segment; `read` where there is none
  Instant read{};        ///< user-space clock right after the read
  Instant last_empty{};  ///< a moment at which this socket was known to be drained
  bool from_kernel = false;
};

/// Turns kernel stamps (CLOCK_REALTIME) into CLOCK_MONOTONIC.
///
/// Refreshed once in every turn of the event loop, so that a stepped wall clock moves no latency: a stamp is converted
/// with an offset at most one turn old. A step of more than `kStep` between two readings is counted.
class ClockOffset {
 public:
  static constexpr Nanos kStep = std::chrono::milliseconds(1);

  /// Two readings of both clocks; returns the monotonic one.
  Instant refresh();
  /// The same with readings handed in, for tests.
  void set(Instant monotonic, Nanos wall);

  Instant to_monotonic(Nanos wall) const { return Instant(wall - offset_); }
  int steps() const { return steps_; }
  Nanos last_step() const { return last_step_; }

 private:
  Nanos offset_{};  ///< wall − monotonic
  Nanos last_step_{};
  int steps_ = 0;
  bool has_offset_ = false;
};

/// Room for one read, shared by all sockets of a loop: `kHeadroom` bytes before `data()` for what an earlier read left
/// over, and `kPadding` readable bytes behind the end for parsers that look ahead.
class ReadBuffer {
 public:
  static constexpr std::size_t kHeadroom = 4096, kSize = 65536, kPadding = 64;

  ReadBuffer() : memory_(std::make_unique<char[]>(kHeadroom + kSize + kPadding)) {}
  char* data() { return memory_.get() + kHeadroom; }

 private:
  std::unique_ptr<char[]> memory_;
};

/// Asks for software receive stamps. False where this kernel or kind of socket has none (unix sockets, some sandboxes).
bool enable_stamps(int fd);

struct StampedRead {
  ssize_t bytes = 0;  ///< as recvmsg: 0 at the end of the stream, -1 with errno
  Nanos wall{};       ///< kernel stamp, CLOCK_REALTIME; 0 where there is none
};

/// One recvmsg of up to `size` bytes. At least 64 KiB should be offered: a short read gets a stamp newer than its
/// bytes.
StampedRead read_stamped(int fd, char* data, std::size_t size);

}  // namespace scoville::wire
