#pragma once

#include <sys/epoll.h>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/result.hpp"
#include "base/units.hpp"
#include "wire/fd.hpp"
#include "wire/stamp.hpp"

namespace scoville::wire {

/// Something that waits on a descriptor of an EventLoop.
class Ready {
 public:
  virtual ~Ready() = default;
  /// Called from EventLoop::turn with epoll's event mask.
  virtual void on_ready(std::uint32_t events) = 0;
};

/// One thread's epoll loop, level-triggered, with the clock that stamps are converted by and the buffers that all its
/// sockets share.
///
/// Our own rather than Asio's because the instrument must know each of these: the clock just before every read (lower
/// bound of an arrival), the time spent outside the wait (its own busy share), and the offset of the two clocks in this
/// very turn; and because one recvmsg per ready socket, with no second call to find it empty, is what keeps the client
/// within a quarter of a bare loop (docs/overhead.md).
///
/// Not thread-safe; wake() alone may be called from another thread or a signal handler.
class EventLoop {
 public:
  /// Busy time of one second of the loop's life.
  struct BusySecond {
    Nanos busy{}, total{};
  };

  EventLoop() = default;
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  Status open();

  Status add(int fd, std::uint32_t events, Ready* ready);
  void modify(int fd, std::uint32_t events, Ready* ready);
  /// Also takes events of this turn that were not delivered yet from `ready`.
  void remove(int fd, Ready* ready);

  /// Waits until a descriptor is ready or `until` has come (at once if it has), and delivers what is ready.
  void turn(Instant until);

  /// Ends a turn() that waits, now or next.
  void wake();

  /// Keeps `ready` until the end of this turn: an object may bury itself in its own callback.
  void bury(std::unique_ptr<Ready> ready) { buried_.push_back(std::move(ready)); }

  /// The newest clock reading of this loop, at most one callback old.
  Instant clock() const { return clock_; }
  Instant read_clock();

  const ClockOffset& offset() const { return offset_; }
  /// Seconds that have passed since open(), the running one left out.
  const std::vector<BusySecond>& busy_seconds() const { return seconds_; }

  ReadBuffer& cipher_buffer() { return cipher_; }
  ReadBuffer& plain_buffer() { return plain_; }

 private:
  int wait(Instant until);
  void account(Instant waited_from, Instant woke);

  static constexpr int kBatch = 256;

  Fd epoll_, wake_;
  std::array<epoll_event, kBatch> batch_{};
  int next_ = 0, count_ = 0;
  Instant clock_{}, second_start_{}, busy_since_{};
  Nanos busy_{};
  std::vector<BusySecond> seconds_;
  ClockOffset offset_;
  ReadBuffer cipher_, plain_;
  std::vector<std::unique_ptr<Ready>> buried_;
};

}  // namespace scoville::wire
