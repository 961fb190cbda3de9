#include "base/clock.hpp"

#include <ctime>

namespace scoville {
namespace {

Nanos read(clockid_t id) {
  timespec value{};
  clock_gettime(id, &value);
  return std::chrono::seconds(value.tv_sec) + Nanos(value.tv_nsec);
}

}  // namespace

Instant now() { return Instant(read(CLOCK_MONOTONIC)); }

Nanos wall_now() { return read(CLOCK_REALTIME); }

ClockAnchor read_anchor() {
  const Instant before = now();
  const Nanos wall = wall_now();
  const Instant after = now();
  return {wall, before + (after - before) / 2, after - before};
}

Nanos thread_cpu_time() { return read(CLOCK_THREAD_CPUTIME_ID); }

}  // namespace scoville
