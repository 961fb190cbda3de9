#include "machine.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

namespace scoville::cpu_probe {
namespace {

namespace fs = std::filesystem;

std::string first_line(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::optional<double> number_in(const fs::path& path) {
  std::istringstream line(first_line(path));
  double number = 0;
  if (line >> number) return number;
  return std::nullopt;
}

/// "32768K" → bytes.
std::size_t cache_size(const std::string& text) {
  std::istringstream in(text);
  double number = 0;
  char unit = ' ';
  in >> number >> unit;
  const double factor = unit == 'K' ? 1024 : unit == 'M' ? 1024 * 1024 : 1;
  return static_cast<std::size_t>(number * factor);
}

/// "0-3,8" → 5.
int count_in_list(const std::string& list) {
  int count = 0;
  std::istringstream in(list);
  for (std::string part; std::getline(in, part, ',');) {
    int from = 0, to = 0;
    char dash = ' ';
    std::istringstream range(part);
    if (!(range >> from)) continue;
    count += range >> dash >> to ? to - from + 1 : 1;
  }
  return std::max(1, count);
}

std::vector<Cache> caches() {
  std::vector<Cache> all;
  for (int i = 0; i < 8; ++i) {
    const fs::path folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(i);
    if (!fs::exists(folder / "size") || first_line(folder / "type") == "Instruction") continue;
    all.push_back({static_cast<int>(number_in(folder / "level").value_or(0)), cache_size(first_line(folder / "size")),
                   count_in_list(first_line(folder / "shared_cpu_list"))});
  }
  std::ranges::sort(all, {}, &Cache::level);
  return all;
}

/// The value of a "name : value" line.
std::string told(const char* path, const std::string& name) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(name)) continue;
    const std::size_t colon = line.find(':');
    const std::size_t from = colon == std::string::npos ? colon : line.find_first_not_of(" \t", colon + 1);
    if (from != std::string::npos) return line.substr(from);
  }
  return {};
}

std::size_t memory_told(const std::string& name) {
  std::istringstream in(told("/proc/meminfo", name));
  std::size_t kib = 0;
  in >> kib;
  return kib * 1024;
}

/// Folders of this process's control group and those above it, for one controller: version 2, or version 1.
std::vector<fs::path> group_folders(const std::string& controller) {
  std::vector<fs::path> folders;
  std::ifstream file("/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string names = "," + line.substr(first + 1, second - first - 1) + ",";
    const bool is_second = names == ",,";
    if (!is_second && names.find("," + controller + ",") == std::string::npos) continue;
    const fs::path root = is_second ? "/sys/fs/cgroup" : "/sys/fs/cgroup/" + line.substr(first + 1, second - first - 1);
    for (fs::path below = line.substr(second + 2);; below = below.parent_path()) {
      folders.push_back(below.empty() ? root : root / below);
      if (below.empty()) break;
    }
  }
  return folders;
}

std::optional<double> quota_of(const fs::path& folder) {
  std::istringstream line(first_line(folder / "cpu.max"));
  double quota = 0, period = 0;
  if (line >> quota >> period && period > 0) return quota / period;
  const auto old = number_in(folder / "cpu.cfs_quota_us"), length = number_in(folder / "cpu.cfs_period_us");
  if (old && length && *old > 0 && *length > 0) return *old / *length;
  return std::nullopt;
}

std::optional<double> quota() {
  std::optional<double> least;
  for (const fs::path& folder : group_folders("cpu")) {
    if (const auto each = quota_of(folder)) least = std::min(each.value(), least.value_or(*each));
  }
  return least;
}

int numa_nodes() {
  int count = 0;
  std::error_code failed;
  for (const auto& each : fs::directory_iterator("/sys/devices/system/node", failed)) {
    const std::string name = each.path().filename();
    if (name.starts_with("node") && name.size() > 4 && std::isdigit(static_cast<unsigned char>(name[4]))) ++count;
  }
  return std::max(1, count);
}

Machine read() {
  Machine all;
  all.name = told("/proc/cpuinfo", "model name");
  all.vendor = told("/proc/cpuinfo", "vendor_id");
  if (all.vendor.empty()) all.vendor = told("/proc/cpuinfo", "CPU implementer");
  all.processors = std::max(1, omp_get_num_procs());
  all.quota = quota();
  all.caches = caches();
  all.numa_nodes = numa_nodes();
  all.memory_bytes = memory_told("MemTotal");
  return all;
}

}  // namespace

int Machine::threads() const {
  if (!is_by_quota()) return processors;
  return std::clamp(static_cast<int>(std::ceil(*quota)), 1, processors);
}

std::size_t Machine::last_cache_bytes() const { return caches.empty() ? 32 << 20 : caches.back().bytes; }

const Machine& machine() {
  static const Machine kOne = read();
  return kOne;
}

Room memory_room() {
  Room room{memory_told("MemAvailable"), false};
  for (const fs::path& folder : group_folders("memory")) {
    auto limit = number_in(folder / "memory.max"), used = number_in(folder / "memory.current");
    if (!limit) limit = number_in(folder / "memory.limit_in_bytes");
    if (!used) used = number_in(folder / "memory.usage_in_bytes");
    if (!limit || !used || *limit > 1e18) continue;
    const auto left = static_cast<std::size_t>(std::max(0.0, *limit - *used));
    if (left < room.bytes) room = {left, true};
  }
  return room;
}

std::size_t memory_reserve(std::size_t room) { return std::max<std::size_t>(std::size_t{1} << 30, room / 10); }

}  // namespace scoville::cpu_probe
