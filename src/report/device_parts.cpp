#include "report/device_parts.hpp"

#include <fmt/format.h>

#include <array>

#include "report/cells.hpp"
#include "text/catalogue/device.hpp"
#include "text/table.hpp"

namespace scoville::report {

using text::DeviceMsg;
using text::say;

std::string Marks::of(const probe::Point& point) {
  std::string marks;
  if (point.hot && point.hot->is_noisy) {
    noisy_ = true;
    marks += '~';
  }
  if (point.is_oversubscribed) {
    oversubscribed_ = true;
    marks += '!';
  }
  return marks;
}

std::string Marks::of(probe::Precise precise) {
  switch (precise) {
    case probe::Precise::lower:
      lower_ = true;
      return "↓";
    case probe::Precise::higher:
      higher_ = true;
      return "↑";
    case probe::Precise::wrong:
      wrong_ = true;
      return "✗";
    default:
      return "";
  }
}

std::string Marks::explained() const {
  std::string out;
  const auto add = [&](bool is_used, DeviceMsg sentence) {
    if (is_used) out += "  " + say(sentence) + "\n";
  };
  add(noisy_, DeviceMsg::mark_noisy);
  add(oversubscribed_, DeviceMsg::mark_oversubscribed);
  add(lower_, DeviceMsg::mark_lower);
  add(higher_, DeviceMsg::mark_higher);
  add(wrong_, DeviceMsg::mark_wrong);
  return out;
}

std::string by_type(const std::string& first_column, const std::vector<std::string>& shapes,
                    const std::vector<std::string>& dtypes, const std::vector<std::string>& units,
                    const std::function<std::string(const std::string& shape, const std::string& dtype)>& cell) {
  constexpr std::size_t kBeside = 3;
  std::string out;
  for (std::size_t from = 0; from < dtypes.size(); from += kBeside) {
    const std::size_t to = std::min(dtypes.size(), from + kBeside);
    std::vector<std::string> header{first_column};
    for (std::size_t i = from; i < to; ++i) header.push_back(dtypes[i] + (units.empty() ? "" : " " + units[i]));
    text::Table table(std::move(header));
    for (const std::string& shape : shapes) {
      std::vector<std::string> row{shape};
      for (std::size_t i = from; i < to; ++i) row.push_back(cell(shape, dtypes[i]));
      table.add_row(std::move(row));
    }
    if (from > 0) out += "\n";
    out += table.render();
  }
  return out;
}

std::string shape_text(const probe::GemmPoint& point) {
  const std::string sizes = fmt::format("{:.0f} x {:.0f} x {:.0f}", point.m, point.n, point.k);
  const std::string batch = point.batch > 1 ? fmt::format(" x {:.0f}", point.batch) : "";
  return sizes + batch + (point.note.empty() ? "" : "  " + point.note);
}

std::string reason_text(probe::Reason reason) {
  constexpr std::array kWords{
      DeviceMsg::reason_absent_in_torch, DeviceMsg::reason_unsupported,     DeviceMsg::reason_oom,
      DeviceMsg::reason_timeout,         DeviceMsg::reason_crash,           DeviceMsg::reason_no_permission,
      DeviceMsg::reason_no_tool,         DeviceMsg::reason_no_device,       DeviceMsg::reason_oversubscribed,
      DeviceMsg::reason_throttled,       DeviceMsg::reason_noisy,           DeviceMsg::reason_wrong_result,
      DeviceMsg::reason_bad_request,     DeviceMsg::reason_not_implemented, DeviceMsg::reason_failed};
  return say(kWords[static_cast<std::size_t>(reason)]);
}

std::string unit_of(std::string_view dtype) { return dtype.starts_with("int") ? "TOP/s" : "TFLOP/s"; }

std::string share_text(std::optional<double> share) {
  return share ? fmt::format("{:.0f} %", 100 * *share) : std::string(kNone);
}

std::string binary_size(double bytes) {
  constexpr std::array<const char*, 5> kUnits{"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < kUnits.size(); ++unit) bytes /= 1024;
  return fmt::format("{:.4g} {}", bytes, kUnits[unit]);
}

}  // namespace scoville::report
