#pragma once

#include <chrono>
#include <cstdint>
#include <limits>

namespace scoville {

using Nanos = std::chrono::nanoseconds;

/// A point on CLOCK_MONOTONIC, the one clock that durations are made of.
using Instant = std::chrono::time_point<std::chrono::steady_clock, Nanos>;

/// An instant that may not have happened. Missing is a value of its own, never 0 (docs/method.md: null is not 0).
class Moment {
 public:
  constexpr Moment() = default;
  constexpr Moment(Instant at) : at_(at) {}  // NOLINT: an Instant is a Moment that happened

  constexpr bool has_value() const { return at_ != kNever; }
  constexpr explicit operator bool() const { return has_value(); }
  /// Precondition: has_value().
  constexpr Instant operator*() const { return at_; }

  friend constexpr bool operator==(Moment, Moment) = default;

 private:
  static constexpr Instant kNever = Instant::min();
  Instant at_ = kNever;
};

constexpr double to_seconds(Nanos span) { return std::chrono::duration<double>(span).count(); }
constexpr double to_millis(Nanos span) { return std::chrono::duration<double, std::milli>(span).count(); }
constexpr Nanos from_seconds(double seconds) { return Nanos(static_cast<std::int64_t>(seconds * 1e9)); }

}  // namespace scoville
