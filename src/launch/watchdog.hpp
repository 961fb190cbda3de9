#pragma once

#include <sys/types.h>

#include "base/result.hpp"
#include "base/units.hpp"

namespace scoville::launch {

/// A process of ours that does nothing but wait for us to die: then it ends the engine's group (TERM, KILL after the
/// grace), so that `kill -9 scoville`, or a crash of ours, leaves no engine behind that keeps the devices.
///
/// It learns of our death from a pipe whose other end only we hold. It has a session of its own, so that a closed
/// terminal or Ctrl-C does not end it first. What put itself into another group or session it does not see, and who
/// kills it too gets no such service. PR_SET_PDEATHSIG would reach the first process of an engine alone, not its
/// workers, and fires when the thread that started it ends.
class Watchdog {
 public:
  /// Forks. To be called before the engine is started, so that there is no moment without it.
  static Result<Watchdog> start(Nanos grace);

  Watchdog(Watchdog&& other) noexcept;
  Watchdog& operator=(Watchdog&&) = delete;
  /// Lets the group live: it has been taken care of.
  ~Watchdog();

  /// From now on it guards this process group.
  void guard(pid_t group);

 private:
  Watchdog(pid_t pid, int pipe) : pid_(pid), pipe_(pipe) {}
  pid_t pid_ = -1;
  int pipe_ = -1;
};

}  // namespace scoville::launch
