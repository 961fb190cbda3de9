#include <fmt/format.h>

#include <map>
#include <optional>
#include <regex>

#include "environment/areas.hpp"

namespace scoville::environment {
namespace {

/// This process's cgroup in each hierarchy, by controller; "" is the unified one of version 2.
std::map<std::string, std::string> groups_of(std::string_view text) {
  std::map<std::string, std::string> out;
  for (const std::string_view line : lines_of(text)) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) continue;
    std::string_view names = line.substr(first + 1, second - first - 1);
    const std::string path(line.substr(second + 1));
    while (true) {
      const std::size_t comma = std::min(names.find(','), names.size());
      out[std::string(names.substr(0, comma))] = path;
      if (comma == names.size()) break;
      names.remove_prefix(comma + 1);
    }
  }
  return out;
}

/// One limit along the way from our group up to the root; inside a container the group's own path may not be there.
class Limits {
 public:
  Limits(const Root& root, std::string mount, std::string group)
      : root_(root), mount_(std::move(mount)), group_(std::move(group)) {}

  /// The smallest number that `of` sees in any of the files of this name; denied or absent if there is no file.
  template <class Of>
  void add_least(event::Fingerprint& print, const char* key, const char* file, Of of) const {
    std::optional<double> least;
    event::FieldStatus status = event::FieldStatus::absent;
    std::string source = fmt::format("{}/**/{}", mount_, file);
    for (std::string group = group_;; group = group.substr(0, group.rfind('/'))) {
      const std::string folder = mount_ + group;
      const Content content = root_.read(fmt::format("{}/{}", folder, file));
      if (content.ok()) status = event::FieldStatus::ok;
      if (content.status == event::FieldStatus::denied && status == event::FieldStatus::absent) status = content.status;
      const std::optional<double> limit = content.ok() ? of(folder, content.text) : std::nullopt;
      if (limit && (!least || *limit < *least)) least = limit;
      if (group.empty() || group.rfind('/') == std::string::npos) break;
    }
    if (status != event::FieldStatus::ok) return print.miss(key, status, source);
    if (!least) return print.add(key, json::string("unlimited"), source);
    if (*least == static_cast<double>(static_cast<std::int64_t>(*least))) {
      return print.add(key, static_cast<std::int64_t>(*least), source);
    }
    print.add(key, *least, source);
  }

  /// The text of the file in the nearest group that has one.
  void add_nearest(event::Fingerprint& print, const char* key, const char* file) const {
    for (std::string group = group_;; group = group.substr(0, group.rfind('/'))) {
      const std::string path = fmt::format("{}{}/{}", mount_, group, file);
      const Content content = root_.read(path);
      if (content.ok() && !content.text.empty()) return print.add(key, json::string(content.text), path);
      if (group.empty() || group.rfind('/') == std::string::npos) break;
    }
    print.miss(key, event::FieldStatus::absent, fmt::format("{}/**/{}", mount_, file));
  }

 private:
  const Root& root_;
  std::string mount_, group_;
};

std::optional<double> number(std::string_view text) {
  const json::value value = number_in(text);
  if (value.is_null()) return std::nullopt;
  return static_cast<double>(value.as_int64());
}

void add_limits_v2(const Root& root, const std::string& group, event::Fingerprint& print) {
  const Limits limits(root, "/sys/fs/cgroup", group == "/" ? "" : group);
  limits.add_least(print, "cgroup.cpus", "cpu.max", [](const std::string&, const std::string& text) {
    const std::size_t blank = text.find(' ');
    const auto quota = number(text.substr(0, blank));
    const auto period = blank == std::string::npos ? std::nullopt : number(text.substr(blank));
    return quota && period && *period > 0 ? std::optional(*quota / *period) : std::nullopt;
  });
  limits.add_least(print, "cgroup.memory_bytes", "memory.max",
                   [](const std::string&, const std::string& text) { return number(text); });
  limits.add_nearest(print, "cgroup.cpuset", "cpuset.cpus.effective");
}

void add_limits_v1(const Root& root, const std::map<std::string, std::string>& groups, event::Fingerprint& print) {
  const auto limits = [&](const std::string& controller) {
    const std::string group = groups.count(controller) ? groups.at(controller) : "";
    std::string mount = "/sys/fs/cgroup/" + controller;
    if (controller == "cpu" && !root.has(mount)) mount = "/sys/fs/cgroup/cpu,cpuacct";
    return Limits(root, mount, group == "/" ? "" : group);
  };
  limits("cpu").add_least(
      print, "cgroup.cpus", "cpu.cfs_quota_us", [&](const std::string& folder, const std::string& text) {
        const auto quota = number(text), period = number(root.read(folder + "/cpu.cfs_period_us").text);
        return quota && period && *quota > 0 && *period > 0 ? std::optional(*quota / *period) : std::nullopt;
      });
  limits("memory").add_least(print, "cgroup.memory_bytes", "memory.limit_in_bytes",
                             [](const std::string&, const std::string& text) -> std::optional<double> {
                               const auto limit = number(text);  // 2^63 less a page stands for none
                               return limit && *limit < 1e18 ? limit : std::nullopt;
                             });
  limits("cpuset").add_nearest(print, "cgroup.cpuset", "cpuset.cpus");
}

std::string container_id(const std::string& text) {
  static const std::regex id("(?:docker|containers|libpod|crio|cri-containerd|kubepods)[^\n]*?([0-9a-f]{64})");
  std::smatch found;
  return std::regex_search(text, found, id) ? found[1].str() : "";
}

struct Kind {
  std::string name, source;
};

Kind container_kind(const Root& root, const Variables& variables, const std::string& group) {
  if (variables.count("KUBERNETES_SERVICE_HOST")) return {"kubernetes", "KUBERNETES_SERVICE_HOST"};
  if (group.find("kubepods") != std::string::npos) return {"kubernetes", "/proc/self/cgroup"};
  if (root.has("/run/.containerenv")) return {"podman", "/run/.containerenv"};
  if (root.has("/.dockerenv")) return {"docker", "/.dockerenv"};
  if (group.find("docker") != std::string::npos) return {"docker", "/proc/self/cgroup"};
  if (group.find("libpod") != std::string::npos) return {"podman", "/proc/self/cgroup"};
  if (group.find("/lxc") != std::string::npos) return {"lxc", "/proc/self/cgroup"};
  if (const Content told = root.read("/run/systemd/container"); told.ok() && !told.text.empty()) {
    return {told.text, "/run/systemd/container"};
  }
  if (const auto told = variables.find("container"); told != variables.end()) return {told->second, "container"};
  return {"none", "/.dockerenv, /run/.containerenv, /run/systemd/container, /proc/self/cgroup"};
}

}  // namespace

void collect_container(const Root& root, const Variables& variables, event::Fingerprint& print) {
  const Content group = root.read("/proc/self/cgroup");
  const Kind kind = container_kind(root, variables, group.text);
  print.add("container.kind", json::string(kind.name), kind.source);
  std::string id = container_id(group.text), source = "/proc/self/cgroup";
  if (id.empty()) id = container_id(root.read(source = "/proc/self/mountinfo").text);
  if (!id.empty() && kind.name != "none") print.add("container.id", json::string(id), source, false);
  if (!group.ok()) return print.miss("cgroup.version", group.status, "/proc/self/cgroup");
  const auto groups = groups_of(group.text);
  const bool is_v1 = groups.count("memory") || groups.count("cpu");
  print.add("cgroup.version", is_v1 ? 1 : 2, "/proc/self/cgroup");
  if (is_v1) return add_limits_v1(root, groups, print);
  add_limits_v2(root, groups.count("") ? groups.at("") : "", print);
}

}  // namespace scoville::environment
