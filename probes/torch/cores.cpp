#include "cores.hpp"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>
#include <sstream>
#include <vector>

namespace scoville::torch_probe {
namespace {

/// The folders of our control group for one controller, from our own up to the root: each of them limits us.
std::vector<std::string> groups(const std::string& controller) {
  std::ifstream lines("/proc/self/cgroup");
  std::vector<std::string> folders;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string names = "," + line.substr(first + 1, second - first - 1) + ",";
    const bool is_unified = names == ",,";
    if (!is_unified && names.find("," + controller + ",") == std::string::npos) continue;
    const std::string root = is_unified ? "/sys/fs/cgroup" : "/sys/fs/cgroup/" + controller;
    std::string path = line.substr(second + 1);
    for (; !path.empty() && path != "/"; path.resize(path.rfind('/'))) folders.push_back(root + path);
    folders.push_back(root);
  }
  return folders;
}

std::optional<double> number_in(const std::string& file) {
  std::ifstream in(file);
  double value = 0;
  if (in >> value) return value;
  return std::nullopt;
}

/// Processors' worth of time that a group's quota allows.
std::optional<double> quota(const std::string& folder) {
  std::ifstream unified(folder + "/cpu.max");
  double allowed = 0, period = 0;
  if (unified >> allowed >> period && period > 0) return allowed / period;
  const auto of_v1 = number_in(folder + "/cpu.cfs_quota_us"), each = number_in(folder + "/cpu.cfs_period_us");
  if (of_v1 && each && *of_v1 > 0 && *each > 0) return *of_v1 / *each;
  return std::nullopt;
}

std::optional<double> meminfo(const std::string& key) {
  std::ifstream lines("/proc/meminfo");
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(key + ":", 0) == 0) return std::stod(line.substr(key.size() + 1)) * 1024;
  }
  return std::nullopt;
}

/// A group's limit less what it holds; nothing where it has no limit.
std::optional<double> left_in(const std::string& folder) {
  constexpr double kNoLimit = 1e18;  // version 1 writes a huge number where there is none
  for (const auto& [limit, used] :
       {std::pair{"/memory.max", "/memory.current"}, std::pair{"/memory.limit_in_bytes", "/memory.usage_in_bytes"}}) {
    const auto most = number_in(folder + limit), now = number_in(folder + used);
    if (most && now && *most < kNoLimit) return std::max(0.0, *most - *now);
  }
  return std::nullopt;
}

}  // namespace

Cores cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  Cores found{sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1, "affinity"};
  for (const std::string& folder : groups("cpu")) {
    const auto allowed = quota(folder);
    if (allowed && *allowed < found.count) found = {std::max(1, static_cast<int>(std::floor(*allowed))), "cgroup"};
  }
  return found;
}

Room memory_room() {
  Room room{meminfo("MemAvailable").value_or(0), "host"};
  for (const std::string& folder : groups("memory")) {
    const auto left = left_in(folder);
    if (left && *left < room.bytes) room = {*left, "cgroup"};
  }
  return room;
}

double host_memory() { return meminfo("MemTotal").value_or(0); }

}  // namespace scoville::torch_probe
