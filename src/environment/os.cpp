#include <fmt/format.h>
#include <gnu/libc-version.h>

#include <algorithm>
#include <array>
#include <map>

#include "environment/areas.hpp"
#include "environment/redaction.hpp"

namespace scoville::environment {
namespace {

/// Words of the kernel's command line that change speed: these make the comparable field.
constexpr std::array<std::string_view, 24> kTuning{"isolcpus",
                                                   "nohz_full",
                                                   "rcu_nocbs",
                                                   "nosmt",
                                                   "mitigations",
                                                   "iommu",
                                                   "intel_iommu",
                                                   "amd_iommu",
                                                   "numa",
                                                   "idle",
                                                   "hugepages",
                                                   "hugepagesz",
                                                   "preempt",
                                                   "tsc",
                                                   "clocksource",
                                                   "pci",
                                                   "pcie_aspm",
                                                   "processor.max_cstate",
                                                   "intel_idle.max_cstate",
                                                   "intel_pstate",
                                                   "amd_pstate",
                                                   "default_hugepagesz",
                                                   "transparent_hugepage",
                                                   "numa_balancing"};

std::map<std::string, std::string> assignments(std::string_view text) {
  std::map<std::string, std::string> out;
  for (const std::string_view line : lines_of(text)) {
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    std::string_view value = trim(line.substr(equals + 1));
    if (value.size() >= 2 && value.front() == value.back() && (value.front() == '"' || value.front() == '\'')) {
      value = value.substr(1, value.size() - 2);
    }
    out[std::string(trim(line.substr(0, equals)))] = value;
  }
  return out;
}

void add_release(const Root& root, event::Fingerprint& print) {
  const std::string path = root.has("/etc/os-release") ? "/etc/os-release" : "/usr/lib/os-release";
  const Content content = root.read(path);
  if (!content.ok()) return print.miss("os.name", content.status, path);
  const auto fields = assignments(content.text);
  const auto at = [&](const char* name) { return fields.count(name) ? fields.at(name) : std::string(); };
  const std::string name = at("PRETTY_NAME").empty() ? at("NAME") : at("PRETTY_NAME");
  if (name.empty()) return print.miss("os.name", event::FieldStatus::error, path + ": no PRETTY_NAME");
  print.add("os.name", json::string(name), path);
  if (!at("ID").empty()) print.add("os.id", json::string(at("ID")), path);
  if (!at("VERSION_ID").empty()) print.add("os.version", json::string(at("VERSION_ID")), path);
}

void add_command_line(const Root& root, event::Fingerprint& print) {
  const std::string path = "/proc/cmdline";
  const Content content = root.read(path);
  if (!content.ok()) return print.miss("os.kernel_cmdline", content.status, path);
  std::string all;
  json::array tuning;
  std::string_view rest = content.text;
  while (!(rest = trim(rest)).empty()) {
    const std::string_view word = rest.substr(0, rest.find_first_of(" \t\n"));
    rest.remove_prefix(word.size());
    const std::string_view name = word.substr(0, word.find('='));
    if (is_secret_variable(name)) continue;
    all += fmt::format("{}{}", all.empty() ? "" : " ", without_secrets(word));
    if (std::find(kTuning.begin(), kTuning.end(), name) != kTuning.end()) tuning.emplace_back(word);
  }
  print.add("os.kernel_cmdline", json::string(all), path, false);
  print.add("os.kernel_tuning", std::move(tuning), path);
}

constexpr const char* kBuiltFor =
#if defined(__x86_64__)
    "x86_64";
#elif defined(__aarch64__)
    "aarch64";
#elif defined(__riscv)
    "riscv64";
#elif defined(__loongarch64)
    "loongarch64";
#else
    "unknown";
#endif

}  // namespace

void collect_os(const Root& root, event::Fingerprint& print) {
  add_release(root, print);
  add_file(print, root, "os.kernel", "/proc/sys/kernel/osrelease");
  add_file(print, root, "os.kernel_build", "/proc/sys/kernel/version");
  add_file(print, root, "os.hostname", "/proc/sys/kernel/hostname", false);
  add_command_line(root, print);
  const Content arch = root.read("/proc/sys/kernel/arch");  // since Linux 6.1
  if (arch.ok()) {
    print.add("os.arch", json::string(first_line(arch.text)), "/proc/sys/kernel/arch");
  } else {
    print.add("os.arch", json::string(kBuiltFor), "the processor this program was built for");
  }
  print.add("os.libc", json::string(fmt::format("glibc {}", gnu_get_libc_version())), "gnu_get_libc_version");
}

}  // namespace scoville::environment
