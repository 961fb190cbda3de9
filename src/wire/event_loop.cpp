#include "wire/event_loop.hpp"

#include <sys/eventfd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "base/clock.hpp"
#include "text/catalogue.hpp"

namespace scoville::wire {
namespace {

Error system_error(const char* call) {
  const ErrorCode code = errno == EMFILE || errno == ENFILE || errno == ENOMEM ? ErrorCode::resource : ErrorCode::io;
  return {code, text::say(text::Msg::system_call_failed, call, std::strerror(errno))};
}

}  // namespace

Status EventLoop::open() {
  epoll_ = Fd(epoll_create1(EPOLL_CLOEXEC));
  if (!epoll_) return system_error("epoll_create1");
  wake_ = Fd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake_) return system_error("eventfd");
  epoll_event event{EPOLLIN, {nullptr}};
  if (epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, wake_.get(), &event) != 0) return system_error("epoll_ctl");
  seconds_.reserve(600);
  clock_ = second_start_ = busy_since_ = offset_.refresh();
  return Done{};
}

Status EventLoop::add(int fd, std::uint32_t events, Ready* ready) {
  epoll_event event{events, {ready}};
  if (epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) != 0) return system_error("epoll_ctl");
  return Done{};
}

void EventLoop::modify(int fd, std::uint32_t events, Ready* ready) {
  epoll_event event{events, {ready}};
  epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, fd, &event);
}

void EventLoop::remove(int fd, Ready* ready) {
  epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, nullptr);
  for (int i = next_; i < count_; ++i) {
    if (batch_[static_cast<std::size_t>(i)].data.ptr == ready) batch_[static_cast<std::size_t>(i)].events = 0;
  }
}

void EventLoop::wake() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(wake_.get(), &one, sizeof one);
}

Instant EventLoop::read_clock() { return clock_ = now(); }

int EventLoop::wait(Instant until) {
  static std::atomic<bool> has_pwait2{true};  // kernel 5.11; the same answer on every thread
  const Nanos left = std::max(until - clock_, Nanos::zero());
  if (has_pwait2.load(std::memory_order_relaxed)) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(left);
    const timespec timeout{static_cast<std::time_t>(seconds.count()), static_cast<long>((left - seconds).count())};
    const int n = epoll_pwait2(epoll_.get(), batch_.data(), kBatch, &timeout, nullptr);
    if (n >= 0 || errno != ENOSYS) return n;
    has_pwait2 = false;
  }
  // Whole milliseconds, rounded down: the last part of a wait is polled rather than overslept.
  const auto millis = std::chrono::duration_cast<std::chrono::milliseconds>(left).count();
  return epoll_wait(epoll_.get(), batch_.data(), kBatch, static_cast<int>(std::min<std::int64_t>(millis, 1000)));
}

void EventLoop::turn(Instant until) {
  const Instant waited_from = read_clock();
  count_ = std::max(0, wait(until));
  clock_ = offset_.refresh();
  account(waited_from, clock_);
  for (next_ = 0; next_ < count_;) {
    const epoll_event event = batch_[static_cast<std::size_t>(next_++)];
    if (event.events == 0) continue;  // removed by a callback of this turn
    if (event.data.ptr == nullptr) {
      std::uint64_t ignored = 0;
      [[maybe_unused]] const ssize_t n = read(wake_.get(), &ignored, sizeof ignored);
    } else {
      static_cast<Ready*>(event.data.ptr)->on_ready(event.events);
    }
  }
  count_ = 0;
  buried_.clear();
}

void EventLoop::account(Instant waited_from, Instant woke) {
  busy_ += waited_from - busy_since_;
  busy_since_ = woke;
  if (woke - second_start_ >= std::chrono::seconds(1)) {
    seconds_.push_back({busy_, woke - second_start_});
    busy_ = Nanos::zero();
    second_start_ = woke;
  }
}

}  // namespace scoville::wire
