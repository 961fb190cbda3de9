#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <map>
#include <set>

#include "environment/areas.hpp"

namespace scoville::environment {
namespace {

using Block = std::map<std::string, std::string, std::less<>>;

/// Instruction sets that decide which kernels of a maths library run.
constexpr std::array<std::string_view, 27> kFlags{
    "avx",      "avx2",     "avx512_bf16", "avx512_fp16", "avx512_vnni", "avx512bw", "avx512f", "avx512vl", "avx_vnni",
    "amx_bf16", "amx_int8", "amx_tile",    "f16c",        "fma",         "sse4_2",   "asimd",   "asimddp",  "asimdhp",
    "bf16",     "i8mm",     "sve",         "sve2",        "svebf16",     "svei8mm",  "sme",     "lasx",     "lsx"};

/// /proc/cpuinfo: the first processor's lines, and how many processors there are.
Block first_block(std::string_view text, std::size_t& count) {
  Block out;
  for (const std::string_view line : lines_of(text)) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const std::string name(trim(line.substr(0, colon)));
    if (name == "processor") ++count;
    if (count <= 1) out.emplace(name, trim(line.substr(colon + 1)));
  }
  return out;
}

std::string at(const Block& block, std::string_view name) {
  const auto found = block.find(name);
  return found == block.end() ? "" : found->second;
}

/// aarch64 has no model name: its codes, as they stand, name the design without guessing.
std::string model_of(const Block& block) {
  for (const char* name : {"model name", "Model Name", "Model", "cpu model", "Hardware"}) {
    if (const std::string value = at(block, name); !value.empty()) return value;
  }
  const std::string implementer = at(block, "CPU implementer"), part = at(block, "CPU part");
  return implementer.empty() ? "" : fmt::format("implementer {} part {}", implementer, part);
}

std::string vendor_of(const Block& block) {
  if (const std::string value = at(block, "vendor_id"); !value.empty()) return value;
  static const std::map<std::string, std::string> implementers{
      {"0x41", "ARM"}, {"0x48", "HiSilicon"}, {"0x4e", "NVIDIA"}, {"0x70", "Phytium"}, {"0xc0", "Ampere"}};
  const auto found = implementers.find(at(block, "CPU implementer"));
  return found == implementers.end() ? at(block, "CPU implementer") : found->second;
}

void add_flags(const Block& block, event::Fingerprint& print) {
  const std::string all = fmt::format(" {}{} ", at(block, "flags"), at(block, "Features"));
  json::array have;
  for (const std::string_view flag : kFlags) {
    if (all.find(fmt::format(" {} ", flag)) != std::string::npos) have.emplace_back(flag);
  }
  print.add("cpu.instructions", std::move(have), "/proc/cpuinfo");
  print.add("machine.virtualised", all.find(" hypervisor ") != std::string::npos, "/proc/cpuinfo");
}

void add_info(const Root& root, event::Fingerprint& print) {
  const std::string path = "/proc/cpuinfo";
  const Content content = root.read(path);
  if (!content.ok()) return print.miss("cpu.model", content.status, path);
  std::size_t count = 0;
  const Block block = first_block(content.text, count);
  const auto add = [&](const char* key, const std::string& value) {
    if (value.empty()) return print.miss(key, event::FieldStatus::absent, path);
    print.add(key, json::string(value), path);
  };
  add("cpu.model", model_of(block));
  add("cpu.vendor", vendor_of(block));
  if (const std::string microcode = at(block, "microcode"); !microcode.empty()) add("cpu.microcode", microcode);
  add_flags(block, print);
  if (count > 0) print.add("cpu.logical", count, path);
}

/// Cores and sockets are what the topology files name, each pair once.
void add_topology(const Root& root, event::Fingerprint& print) {
  std::set<std::string> cores, sockets;
  for (const std::string& folder : root.match("/sys/devices/system/cpu/cpu*/topology")) {
    const Content socket = root.read(folder + "/physical_package_id"), core = root.read(folder + "/core_id");
    if (!socket.ok() || !core.ok()) continue;
    sockets.insert(socket.text);
    cores.insert(socket.text + ":" + core.text);
  }
  const std::string source = "/sys/devices/system/cpu/cpu*/topology";
  if (cores.empty()) {
    print.miss("cpu.cores", event::FieldStatus::absent, source);
    print.miss("cpu.sockets", event::FieldStatus::absent, source);
  } else {
    print.add("cpu.cores", cores.size(), source);
    print.add("cpu.sockets", sockets.size(), source);
  }
}

void add_governor(const Root& root, event::Fingerprint& print) {
  const std::string source = "/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor";
  std::set<std::string> governors;
  event::FieldStatus status = event::FieldStatus::absent;
  for (const std::string& path : root.match(source)) {
    const Content content = root.read(path);
    if (content.ok()) governors.insert(content.text);
    if (content.status == event::FieldStatus::denied) status = content.status;
  }
  if (governors.empty()) return print.miss("cpu.governor", status, source);
  print.add("cpu.governor", json::string(fmt::format("{}", fmt::join(governors, ", "))), source);
}

void add_numa(const Root& root, event::Fingerprint& print) {
  const std::vector<std::string> lists = root.match("/sys/devices/system/node/node*/cpulist");
  if (lists.empty()) return print.miss("cpu.numa.nodes", event::FieldStatus::absent, "/sys/devices/system/node");
  print.add("cpu.numa.nodes", lists.size(), "/sys/devices/system/node");
  for (const std::string& path : lists) {
    const std::size_t begin = path.find("/node/node") + 10;
    add_file(print, root, fmt::format("cpu.numa.{}.cpus", path.substr(begin, path.find('/', begin) - begin)), path);
  }
}

}  // namespace

void collect_cpu(const Root& root, event::Fingerprint& print) {
  add_info(root, print);
  add_topology(root, print);
  add_file(print, root, "cpu.online", "/sys/devices/system/cpu/online");
  add_file(print, root, "cpu.smt", "/sys/devices/system/cpu/smt/control");
  add_numa(root, print);
  add_governor(root, print);
  add_file(print, root, "cpu.frequency_driver", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_driver");
  add_number_file(print, root, "cpu.numa.balancing", "/proc/sys/kernel/numa_balancing");
}

}  // namespace scoville::environment
