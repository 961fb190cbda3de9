#include "run/steal.hpp"

#include <charconv>

#include "base/file.hpp"

namespace scoville::run {

std::optional<CpuTicks> parse_cpu_ticks(std::string_view text) {
  if (!text.starts_with("cpu ")) return std::nullopt;
  text = text.substr(4, text.find('\n') - 4);
  CpuTicks ticks;
  // user nice system idle iowait irq softirq steal; guest time, behind them, is in user already.
  for (int field = 0; field < 8; ++field) {
    const std::size_t digit = text.find_first_not_of(' ');
    if (digit == std::string_view::npos) return field > 3 ? std::optional(ticks) : std::nullopt;
    text.remove_prefix(digit);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    ticks.total += value;
    if (field == 7) ticks.steal = value;
  }
  return ticks;
}

std::optional<CpuTicks> read_cpu_ticks() {
  const Result<std::string> text = read_file("/proc/stat");
  return text ? parse_cpu_ticks(*text) : std::nullopt;
}

std::optional<double> steal_share(const std::optional<CpuTicks>& before, const std::optional<CpuTicks>& after) {
  if (!before || !after || after->total <= before->total) return std::nullopt;
  return static_cast<double>(after->steal - before->steal) / static_cast<double>(after->total - before->total);
}

}  // namespace scoville::run
