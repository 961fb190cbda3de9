#pragma once

#include "probe/host.hpp"

namespace scoville::cpu_probe {

/// The threads that a question is answered with.
struct Threads {
  int count = 1;
  bool is_oversubscribed = false;  ///< more than there are processors, or than the control group pays for
};

/// `threads` of the question, else all that this process may use; sets OpenMP to it.
Threads use_threads(const probe::Question& question);

/// `threads`, and a mark where they are too many.
void put_threads(json::object& row, const Threads& threads);

}  // namespace scoville::cpu_probe
