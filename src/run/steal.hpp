#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace scoville::run {

/// CPU time of all cores as /proc/stat counts it, in ticks.
struct CpuTicks {
  std::uint64_t total = 0, steal = 0;
};

/// The first line of /proc/stat; empty if it is none.
std::optional<CpuTicks> parse_cpu_ticks(std::string_view proc_stat);
/// Now, on this machine; empty where there is no /proc/stat.
std::optional<CpuTicks> read_cpu_ticks();

/// Share of the time between two readings that the hypervisor gave to others; empty without both.
std::optional<double> steal_share(const std::optional<CpuTicks>& before, const std::optional<CpuTicks>& after);

}  // namespace scoville::run
