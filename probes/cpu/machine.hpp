#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace scoville::cpu_probe {

struct Cache {
  int level = 0;
  std::size_t bytes = 0;
  int shared_by = 1;  ///< logical processors
};

/// This machine as the kernel tells it. Read once.
struct Machine {
  std::string name, vendor;     ///< empty: not told
  int processors = 1;           ///< that this process may run on
  std::optional<double> quota;  ///< processors' worth of time that the control group allows
  std::vector<Cache> caches;    ///< of one core, data and unified
  int numa_nodes = 1;
  std::size_t memory_bytes = 0;

  /// What the processors and the quota leave, at least 1.
  int threads() const;
  bool is_by_quota() const { return quota && *quota < processors; }
  std::size_t last_cache_bytes() const;
};
const Machine& machine();

/// Memory that can still be had without harm to others: the least of what the kernel calls available and what the
/// control group leaves. Read anew each time.
struct Room {
  std::size_t bytes = 0;
  bool is_by_group = false;
};
Room memory_room();
/// Never to be touched: the larger of 1 GiB and a tenth of the room.
std::size_t memory_reserve(std::size_t room);

}  // namespace scoville::cpu_probe
