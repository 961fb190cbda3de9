#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace scoville::launch {

/// The variable in an engine's environment by which its processes are known again, whatever group or session they put
/// themselves into.
inline constexpr const char* kMarkName = "SCOVILLE_LAUNCH";

/// Processes that live (what has ended and was not collected does not) in this group, or whose environment holds the
/// mark. Read from /proc; where that is closed to us, only whether the group has anybody: its number then.
std::vector<pid_t> living_processes(pid_t group, const std::string& mark);

/// To the whole group at once, and to those of `others` that are not in it.
void signal_processes(pid_t group, const std::vector<pid_t>& others, int signal);

}  // namespace scoville::launch
