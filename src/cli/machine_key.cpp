#include "cli/machine_key.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <thread>

#include "base/file.hpp"
#include "base/version.hpp"

namespace scoville::cli {
namespace {

/// The value of the first line "name : value"; empty where there is none.
std::string field(std::string_view cpuinfo, std::string_view name) {
  for (std::size_t at = 0; at < cpuinfo.size();) {
    const std::string_view line = cpuinfo.substr(at, std::min(cpuinfo.find('\n', at), cpuinfo.size()) - at);
    at += line.size() + 1;
    const std::size_t colon = line.find(':');
    if (!line.starts_with(name) || colon == std::string_view::npos) continue;
    if (line.substr(name.size(), colon - name.size()).find_first_not_of(" \t") != std::string_view::npos) continue;
    const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
    if (begin != std::string_view::npos) return std::string(line.substr(begin));
  }
  return "";
}

/// x86 tells a name; Arm tells numbers.
std::string processor(std::string_view cpuinfo) {
  if (std::string name = field(cpuinfo, "model name"); !name.empty()) return name;
  const std::string implementer = field(cpuinfo, "CPU implementer"), part = field(cpuinfo, "CPU part");
  if (!implementer.empty()) return fmt::format("Arm {} {}", implementer, part);
  return "unknown processor";
}

}  // namespace

std::string machine_from(std::string_view cpuinfo, unsigned processors, std::string_view kernel) {
  return fmt::format("{}; {} processors; kernel {}", processor(cpuinfo), processors, kernel);
}

std::string machine_without_name() {
  const Result<std::string> cpuinfo = read_file("/proc/cpuinfo");
  utsname names{};
  const bool has_names = uname(&names) == 0;
  return machine_from(cpuinfo ? *cpuinfo : "", std::thread::hardware_concurrency(),
                      has_names ? names.release : "unknown");
}

std::string machine_key() { return fmt::format("{}; method {}", machine_without_name(), kMethodVersion); }

}  // namespace scoville::cli
