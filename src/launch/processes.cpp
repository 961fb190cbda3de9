#include "launch/processes.hpp"

#include <unistd.h>

#include <charconv>
#include <csignal>
#include <filesystem>
#include <optional>
#include <string_view>

#include "base/file.hpp"

namespace scoville::launch {
namespace {

namespace fs = std::filesystem;

struct Stat {
  char state = 'Z';
  pid_t group = 0;
};

/// "pid (name) state ppid pgrp …": the name may hold anything, brackets too.
std::optional<Stat> read_stat(const fs::path& folder) {
  const Result<std::string> text = read_file(folder / "stat");
  if (!text) return std::nullopt;
  const std::size_t end = text->rfind(") ");
  if (end == std::string::npos || end + 2 >= text->size()) return std::nullopt;
  Stat out;
  out.state = (*text)[end + 2];
  std::string_view rest = std::string_view(*text).substr(end + 3);
  for (int i = 0; i < 2; ++i) {
    while (rest.starts_with(' ')) rest.remove_prefix(1);
    const auto read = std::from_chars(rest.data(), rest.data() + rest.size(), out.group);
    if (read.ec != std::errc()) return std::nullopt;
    rest = rest.substr(static_cast<std::size_t>(read.ptr - rest.data()));
  }
  return out;
}

bool is_marked(const fs::path& folder, const std::string& mark) {
  const Result<std::string> text = read_file(folder / "environ");
  if (!text) return false;
  const std::string wanted = std::string(kMarkName) + "=" + mark;
  for (std::string_view rest = *text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\0'), rest.size());
    if (rest.substr(0, end) == wanted) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

}  // namespace

std::vector<pid_t> living_processes(pid_t group, const std::string& mark) {
  std::vector<pid_t> out;
  std::error_code fault;
  for (fs::directory_iterator at("/proc", fault), end; !fault && at != end; at.increment(fault)) {
    const std::string name = at->path().filename();
    pid_t pid = 0;
    const auto read = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (read.ec != std::errc() || read.ptr != name.data() + name.size() || pid == getpid()) continue;
    const std::optional<Stat> stat = read_stat(at->path());
    if (!stat || stat->state == 'Z' || stat->state == 'X') continue;
    if (stat->group == group || is_marked(at->path(), mark)) out.push_back(pid);
  }
  if (fault && out.empty() && kill(-group, 0) == 0) out.push_back(group);
  return out;
}

void signal_processes(pid_t group, const std::vector<pid_t>& others, int signal) {
  kill(-group, signal);
  for (const pid_t each : others) {
    if (getpgid(each) != group) kill(each, signal);
  }
}

}  // namespace scoville::launch
