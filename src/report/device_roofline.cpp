#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "probe/roofline.hpp"
#include "report/cells.hpp"
#include "report/device_parts.hpp"
#include "text/catalogue/device.hpp"
#include "text/table.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using probe::Roofline;
using probe::RoofPoint;
using text::DeviceMsg;
using text::say;

/// Both axes logarithmic. Roofs are dots, points the digit of their type.
class Chart {
 public:
  explicit Chart(const std::vector<Roofline>& lines) {
    for (const Roofline& line : lines) {
      for (const RoofPoint& point : line.points) include(point.intensity, point.rate);
      include(line.roof.ridge(), line.roof.peak);
    }
    right_ = std::max(right_, left_ * 2) * 1.2;
    left_ /= 1.2;
    top_ *= 1.2;
    bottom_ = std::min(bottom_, top_ / 4) / 1.2;
    for (std::string& row : rows_) row.assign(kColumns, ' ');
    for (const Roofline& line : lines) draw(line.roof);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      for (const RoofPoint& point : lines[i].points)
        put(column(point.intensity), row(point.rate), static_cast<char>('1' + i));
    }
  }

  std::string text() const {
    std::string out;
    for (std::size_t i = 0; i < kRows; ++i) {
      const bool is_named = i % 4 == 0 || i + 1 == kRows;
      std::string line = fmt::format("  {:>9} │{}", is_named ? rate_name(rate_at(i)) : "", rows_[i]);
      while (line.ends_with(' ')) line.pop_back();
      out += line + "\n";
    }
    std::string axis(kColumns, ' ');
    out += "            └";
    for (std::size_t i = 0; i < kColumns; ++i) out += "─";
    for (std::size_t i = 0; i < kColumns; i += 16) {
      const std::string name =
          fmt::format("{:.3g}", left_ * std::pow(right_ / left_, static_cast<double>(i) / (kColumns - 1)));
      for (std::size_t j = 0; j < name.size() && i + j < kColumns; ++j) axis[i + j] = name[j];
    }
    while (axis.ends_with(' ')) axis.pop_back();
    return out + "\n             " + axis + "  " + say(DeviceMsg::axis_intensity) + "\n";
  }

 private:
  static constexpr std::size_t kColumns = 72, kRows = 13;

  static std::string rate_name(double rate) {
    return rate >= 1e12 ? fmt::format("{:.3g} T", rate / 1e12) : fmt::format("{:.3g} G", rate / 1e9);
  }
  void include(double intensity, double rate) {
    left_ = std::min(left_, intensity);
    right_ = std::max(right_, intensity);
    bottom_ = std::min(bottom_, rate);
    top_ = std::max(top_, rate);
  }
  double rate_at(std::size_t row) const {
    return top_ * std::pow(bottom_ / top_, static_cast<double>(row) / (kRows - 1));
  }
  std::size_t column(double intensity) const {
    return static_cast<std::size_t>(
        std::lround(std::log(intensity / left_) / std::log(right_ / left_) * (kColumns - 1)));
  }
  std::ptrdiff_t row(double rate) const {
    return std::lround(std::log(top_ / rate) / std::log(top_ / bottom_) * (kRows - 1));
  }
  void put(std::size_t column, std::ptrdiff_t row, char mark) {
    if (column >= kColumns || row < 0 || row >= static_cast<std::ptrdiff_t>(kRows)) return;
    rows_[static_cast<std::size_t>(row)][column] = mark;
  }
  void draw(const probe::Roof& roof) {
    for (std::size_t i = 0; i < kColumns; ++i) {
      const double intensity = left_ * std::pow(right_ / left_, static_cast<double>(i) / (kColumns - 1));
      put(i, row(roof.at(intensity)), '.');
    }
  }

  double left_ = 1e300, right_ = 0, bottom_ = 1e300, top_ = 0;
  std::array<std::string, kRows> rows_;
};

std::string bound_text(probe::Bound bound) {
  constexpr std::array kWords{DeviceMsg::bound_launch, DeviceMsg::bound_memory, DeviceMsg::bound_transition,
                              DeviceMsg::bound_compute};
  return say(kWords[static_cast<std::size_t>(bound)]);
}

std::string ridge_lines(const std::vector<Roofline>& lines, const DeviceView& view) {
  text::Table table({"", say(DeviceMsg::column_precision), say(DeviceMsg::column_peak),
                     say(DeviceMsg::column_memory_rate), say(DeviceMsg::column_ridge),
                     say(DeviceMsg::column_catalogue_ridge)});
  table.flush_left(1);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Roofline& line = lines[i];
    const std::optional<double> peak = catalogue_peak(view.catalogued, line.dtype);
    const bool is_known = peak && view.catalogued->bandwidth;
    table.add_row(
        {std::to_string(i + 1), line.dtype, fmt::format("{:.3g} {}", line.roof.peak / 1e12, unit_of(line.dtype)),
         number(line.roof.bandwidth / 1e9) + " GB/s", fmt::format("{:.1f}", line.roof.ridge()),
         is_known ? fmt::format("{:.1f}", *peak / view.catalogued->bandwidth->value) : say(DeviceMsg::cell_unknown)});
  }
  return table.render();
}

/// The sweep and the shapes of language models; square products only tell the peak.
std::string points_table(const std::vector<Roofline>& lines) {
  std::vector<std::string> shapes, dtypes;
  for (const Roofline& line : lines) {
    dtypes.push_back(line.dtype);
    for (const RoofPoint& each : line.points) {
      if (each.of.label != "roofline" && each.of.label != "llm") continue;
      if (std::ranges::find(shapes, shape_text(each.of)) == shapes.end()) shapes.push_back(shape_text(each.of));
    }
  }
  const auto cell = [&](const std::string& shape, const std::string& dtype) -> std::string {
    const auto line = std::ranges::find(lines, dtype, &Roofline::dtype);
    const auto found =
        std::ranges::find_if(line->points, [&](const RoofPoint& each) { return shape_text(each.of) == shape; });
    if (found == line->points.end()) return kNone;
    return fmt::format("{:.3g} {} {:>5}", found->intensity, bound_text(found->bound), share_text(found->share()));
  };
  return shapes.empty() ? ""
                        : by_type("m x n x k", shapes, dtypes, {}, cell) + "  " + say(DeviceMsg::line_points) + "\n";
}

}  // namespace

std::string device_roofline(const DeviceView& view) {
  const probe::Survey& survey = view.survey;
  const std::vector<Roofline> lines =
      probe::rooflines(survey.gemm, probe::memory_rate(survey.bandwidth), probe::launch_time(survey.launches));
  if (lines.empty()) return "";
  return "\n  " + say(DeviceMsg::title_roofline) + "\n" + ridge_lines(lines, view) + "\n" + Chart(lines).text() + "\n" +
         points_table(lines) + text::wrapped("  " + say(DeviceMsg::line_roofline), kDeviceWidth - 2, 2);
}

}  // namespace scoville::report
