#pragma once

#include "base/units.hpp"

namespace scoville {

/// CLOCK_MONOTONIC now. About 25 ns where the kernel offers it without a system call.
Instant now();

/// CLOCK_REALTIME now, since 1970.
Nanos wall_now();

/// One reading of both clocks at (almost) the same instant: what joins a run with other machines' logs.
struct ClockAnchor {
  Nanos wall{};
  Instant monotonic{};
  Nanos uncertainty{};  ///< time between the two monotonic readings around the wall reading
};
ClockAnchor read_anchor();

/// CPU time this thread has used.
Nanos thread_cpu_time();

}  // namespace scoville
