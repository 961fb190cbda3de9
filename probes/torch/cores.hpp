#pragma once

#include <string>

namespace scoville::torch_probe {

/// Processors that this process may keep busy, and what says so: "cgroup" (its quota), "affinity".
struct Cores {
  int count = 1;
  std::string from;
};
Cores cores();

/// Bytes that this process may still take, and what says so: "cgroup", "host" (/proc/meminfo, MemAvailable).
struct Room {
  double bytes = 0;
  std::string from;
};
Room memory_room();

/// The host's memory, MemTotal.
double host_memory();

}  // namespace scoville::torch_probe
