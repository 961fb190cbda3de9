#include "store/process.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <sstream>

#include "base/file.hpp"

namespace scoville::store {
namespace {

std::string boot_id() {
  const Result<std::string> id = read_file("/proc/sys/kernel/random/boot_id");
  return id ? id->substr(0, id->find('\n')) : "unknown";
}

/// Field 22 of /proc/PID/stat, in ticks since boot; empty where there is no such process, or it is dead and nobody has
/// asked for its exit status yet (state Z).
std::string start_time(const std::string& pid) {
  const Result<std::string> stat = read_file("/proc/" + pid + "/stat");
  if (!stat) return "";
  // The name in field 2 may hold blanks; field 3 follows its bracket.
  std::istringstream rest(stat->substr(std::min(stat->size(), stat->rfind(')') + 1)));
  std::string field;
  for (int i = 3; i <= 22; ++i) {
    rest >> field;
    if (i == 3 && (field == "Z" || field == "X")) return "";
  }
  return field;
}

}  // namespace

std::string this_process() {
  const std::string pid = std::to_string(getpid());
  return fmt::format("{} {} {}", boot_id(), pid, start_time(pid));
}

bool is_alive(const std::string& process) {
  std::istringstream words(process);
  std::string boot, pid, start;
  words >> boot >> pid >> start;
  return !start.empty() && boot == boot_id() && start_time(pid) == start;
}

}  // namespace scoville::store
