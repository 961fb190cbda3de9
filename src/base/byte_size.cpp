#include "base/byte_size.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace scoville {
namespace {

constexpr std::array<std::pair<std::string_view, double>, 11> kUnits{{{"", 1},
                                                                      {"B", 1},
                                                                      {"kB", 1e3},
                                                                      {"KB", 1e3},
                                                                      {"MB", 1e6},
                                                                      {"GB", 1e9},
                                                                      {"TB", 1e12},
                                                                      {"KiB", 1024.0},
                                                                      {"MiB", 1048576.0},
                                                                      {"GiB", 1073741824.0},
                                                                      {"TiB", 1099511627776.0}}};

}  // namespace

std::optional<std::int64_t> parse_byte_size(std::string_view text) {
  double value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, fault] = std::from_chars(text.data(), last, value, std::chars_format::fixed);
  if (fault != std::errc()) return std::nullopt;
  std::string_view unit(end, static_cast<std::size_t>(last - end));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  for (const auto& [name, size] : kUnits) {
    if (name != unit) continue;
    const double bytes = value * size;
    const bool is_size = std::isfinite(bytes) && bytes >= 0 && bytes < 0x1p63;
    return is_size ? std::optional(static_cast<std::int64_t>(bytes)) : std::nullopt;
  }
  return std::nullopt;
}

std::string format_byte_size(std::int64_t bytes) {
  constexpr std::array units{"B", "kB", "MB", "GB", "TB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1000 && unit + 1 < units.size(); ++unit) value /= 1000;
  return fmt::format("{:.3g} {}", value, units[unit]);
}

}  // namespace scoville
