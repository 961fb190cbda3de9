#include "base/duration.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

namespace scoville {
namespace {

struct Unit {
  std::string_view name;
  double nanos;
};
constexpr std::array kUnits{Unit{"ns", 1.0}, Unit{"us", 1e3}, Unit{"µs", 1e3},   Unit{"ms", 1e6},
                            Unit{"s", 1e9},  Unit{"m", 6e10}, Unit{"min", 6e10}, Unit{"h", 3.6e12}};

std::string three_digits(double value) {
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f}", value, decimals);
}

}  // namespace

std::optional<Nanos> parse_duration(std::string_view text, Nanos bare_unit) {
  double value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (error != std::errc() || !std::isfinite(value) || value < 0) return std::nullopt;
  const std::string_view unit(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
  double nanos = unit.empty() ? value * static_cast<double>(bare_unit.count()) : -1;
  for (const Unit& known : kUnits) {
    if (unit == known.name) nanos = value * known.nanos;
  }
  if (nanos < 0 || nanos > 9.2e18) return std::nullopt;
  return Nanos(std::llround(nanos));
}

std::string format_duration(Nanos span) {
  const double nanos = static_cast<double>(span.count());
  const double size = std::fabs(nanos);
  const char* sign = nanos < 0 ? "-" : "";
  if (size < 1e3) return fmt::format("{}{:.0f} ns", sign, size);
  if (size < 999.5e3) return fmt::format("{}{} µs", sign, three_digits(size / 1e3));
  if (size < 999.5e6) return fmt::format("{}{} ms", sign, three_digits(size / 1e6));
  if (size < 119.5e9) return fmt::format("{}{} s", sign, three_digits(size / 1e9));
  const auto seconds = std::llround(size / 1e9);
  return fmt::format("{}{} min {:02} s", sign, seconds / 60, seconds % 60);
}

}  // namespace scoville
