#include "environment/local_process.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <set>

#include "base/file.hpp"
#include "environment/engine_args.hpp"
#include "environment/secrets.hpp"

namespace scoville::environment {
namespace {

namespace fs = std::filesystem;
using event::FieldStatus;

constexpr const char* kCommandLine = "engine.command_line";

/// Address bytes, an IPv4 address within IPv6 as IPv4.
std::string address_bytes(const sockaddr* address) {
  const auto bytes = [](const void* from, std::size_t n) { return std::string(static_cast<const char*>(from), n); };
  if (address && address->sa_family == AF_INET) {
    sockaddr_in four;
    std::memcpy(&four, address, sizeof four);
    return bytes(&four.sin_addr, sizeof four.sin_addr);
  }
  if (address && address->sa_family == AF_INET6) {
    sockaddr_in6 six;
    std::memcpy(&six, address, sizeof six);
    if (IN6_IS_ADDR_V4MAPPED(&six.sin6_addr)) return bytes(six.sin6_addr.s6_addr + 12, 4);
    return bytes(&six.sin6_addr, sizeof six.sin6_addr);
  }
  return "";
}

bool is_loopback(const std::string& bytes) {
  if (bytes.size() == 4) return bytes[0] == 127;
  return bytes.size() == 16 && bytes == std::string(15, '\0') + '\1';
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (;;) {
    const std::size_t begin = line.find_first_not_of(' ');
    if (begin == std::string_view::npos) return words;
    line.remove_prefix(begin);
    const std::size_t end = std::min(line.find(' '), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

struct Holder {
  int pid = 0;              ///< 0: none found
  bool was_denied = false;  ///< some process did not show its descriptors
};

bool holds_one(const fs::path& descriptors, const std::set<std::string>& links, std::error_code& fault) {
  for (fs::directory_iterator at(descriptors, fault), end; !fault && at != end; at.increment(fault)) {
    std::error_code gone;  // a descriptor may be closed while we look
    if (links.contains(fs::read_symlink(at->path(), gone).string())) return true;
  }
  return false;
}

Holder find_holder(const fs::path& proc, const std::vector<std::uint64_t>& inodes) {
  std::set<std::string> links;
  for (const std::uint64_t inode : inodes) links.insert(fmt::format("socket:[{}]", inode));
  std::vector<int> pids;
  std::error_code fault;
  for (fs::directory_iterator at(proc, fault), end; !fault && at != end; at.increment(fault)) {
    const std::string name = at->path().filename();
    int pid = 0;
    const auto read = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (read.ec == std::errc() && read.ptr == name.data() + name.size()) pids.push_back(pid);
  }
  std::sort(pids.begin(), pids.end());
  Holder out;
  for (const int pid : pids) {
    std::error_code refused;
    if (holds_one(proc / std::to_string(pid) / "fd", links, refused)) return {pid, false};
    if (refused == std::errc::permission_denied) out.was_denied = true;
  }
  return out;
}

std::vector<std::string> split_arguments(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\0'), text.size());
    out.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  while (!out.empty() && out.back().empty()) out.pop_back();  // a process that renamed itself leaves zeros behind
  return out;
}

}  // namespace

bool is_on_this_machine(const wire::Address& address) {
  if (address.family() == AF_UNIX) return true;
  const std::string ours = address_bytes(reinterpret_cast<const sockaddr*>(&address.storage));
  if (ours.empty()) return false;
  if (is_loopback(ours)) return true;
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) return false;
  bool found = false;
  for (const ifaddrs* each = list; each && !found; each = each->ifa_next) found = address_bytes(each->ifa_addr) == ours;
  freeifaddrs(list);
  return found;
}

std::uint16_t port_of(const wire::Address& address) {
  sockaddr_in6 six;  // the port stands at the same place in both families
  std::memcpy(&six, &address.storage, sizeof six);
  return address.family() == AF_INET || address.family() == AF_INET6 ? ntohs(six.sin6_port) : std::uint16_t(0);
}

std::vector<std::uint64_t> listening_inodes(std::string_view text, std::uint16_t port) {
  constexpr std::string_view kListening = "0A";
  const std::string ending = fmt::format(":{:04X}", port);
  std::vector<std::uint64_t> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    // sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode …
    const std::vector<std::string_view> words = words_of(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (words.size() < 10 || words[3] != kListening || !words[1].ends_with(ending)) continue;
    std::uint64_t inode = 0;
    const auto read = std::from_chars(words[9].data(), words[9].data() + words[9].size(), inode);
    if (read.ec == std::errc() && inode != 0) out.push_back(inode);
  }
  return out;
}

event::Fingerprint observe_local_process(const std::string& root, std::uint16_t port) {
  event::Fingerprint out;
  const std::string proc = root + "/proc";
  std::vector<std::uint64_t> inodes;
  bool could_read = false;
  for (const char* table : {"/net/tcp", "/net/tcp6"}) {
    const Result<std::string> text = read_file(proc + table);
    could_read = could_read || text.ok();
    if (!text) continue;
    for (const std::uint64_t inode : listening_inodes(*text, port)) inodes.push_back(inode);
  }
  if (inodes.empty()) {
    out.miss(kCommandLine, could_read ? FieldStatus::absent : FieldStatus::denied, "/proc/net/tcp");
    return out;
  }
  const Holder holder = find_holder(proc, inodes);
  if (holder.pid == 0) {
    out.miss(kCommandLine, holder.was_denied ? FieldStatus::denied : FieldStatus::absent, "/proc/PID/fd");
    return out;
  }
  constexpr const char* kSource = "/proc/PID/cmdline";
  const Result<std::string> text = read_file(fmt::format("{}/{}/cmdline", proc, holder.pid));
  const std::vector<std::string> arguments = masked_arguments(split_arguments(text ? *text : ""));
  out.add("engine.pid", holder.pid, "/proc/PID/fd", false);
  if (arguments.empty()) {
    out.miss(kCommandLine, text ? FieldStatus::absent : FieldStatus::denied, kSource);
    return out;
  }
  out.merge(command_line_flags(arguments, kSource));
  out.add(kCommandLine, json::array(arguments.begin(), arguments.end()), kSource, false);
  return out;
}

}  // namespace scoville::environment
