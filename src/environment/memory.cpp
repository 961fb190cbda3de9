#include <fmt/format.h>

#include <optional>

#include "environment/areas.hpp"

namespace scoville::environment {
namespace {

constexpr const char* kPath = "/proc/meminfo";

/// "MemTotal:       49368188 kB" in bytes.
std::optional<std::int64_t> bytes_of(std::string_view text, std::string_view name) {
  for (std::string_view line : lines_of(text)) {
    if (!line.starts_with(name) || line.size() <= name.size() || line[name.size()] != ':') continue;
    line = trim(line.substr(name.size() + 1));
    const bool is_kibibytes = line.ends_with(" kB");
    const json::value number = number_in(is_kibibytes ? line.substr(0, line.size() - 3) : line);
    if (number.is_null()) return std::nullopt;
    return number.as_int64() * (is_kibibytes ? 1024 : 1);
  }
  return std::nullopt;
}

/// The choice that stands in brackets: "always [madvise] never".
void add_choice(const Root& root, event::Fingerprint& print, const char* key, const std::string& path) {
  const Content content = root.read(path);
  if (!content.ok()) return print.miss(key, content.status, path);
  const std::size_t open = content.text.find('['), close = content.text.find(']');
  if (open == std::string::npos || close == std::string::npos || close < open) {
    return print.miss(key, event::FieldStatus::error, path + ": no choice in brackets");
  }
  print.add(key, json::string(content.text.substr(open + 1, close - open - 1)), path);
}

}  // namespace

void collect_memory(const Root& root, event::Fingerprint& print) {
  const Content content = root.read(kPath);
  const auto add = [&](const char* key, const char* name, std::int64_t unit, bool is_comparable) {
    const auto bytes = bytes_of(content.text, name);
    if (!content.ok()) return print.miss(key, content.status, kPath);
    if (!bytes) return print.miss(key, event::FieldStatus::absent, fmt::format("{}: no {}", kPath, name));
    print.add(key, (*bytes + unit / 2) / unit, kPath, is_comparable);
  };
  // The kernel keeps a little more or less for itself at each start: the comparable figure is rounded.
  add("memory.total_bytes", "MemTotal", 1, false);
  add("memory.total_gib", "MemTotal", std::int64_t{1} << 30, true);
  add("memory.swap_bytes", "SwapTotal", 1, true);
  add("memory.huge_pages", "HugePages_Total", 1, true);
  add("memory.huge_page_bytes", "Hugepagesize", 1, true);
  add_choice(root, print, "memory.transparent_huge_pages", "/sys/kernel/mm/transparent_hugepage/enabled");
  add_choice(root, print, "memory.transparent_huge_page_defrag", "/sys/kernel/mm/transparent_hugepage/defrag");
}

}  // namespace scoville::environment
