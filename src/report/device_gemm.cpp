#include <fmt/format.h>

#include <algorithm>

#include "probe/specialisation.hpp"
#include "report/cells.hpp"
#include "report/device_parts.hpp"
#include "text/catalogue/device.hpp"
#include "text/table.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using probe::GemmPoint;
using text::DeviceMsg;
using text::say;

/// The types of these points, in the order in which they come.
template <class P>
std::vector<std::string> types_of(const std::vector<P>& points) {
  std::vector<std::string> out;
  for (const P& each : points) {
    if (std::ranges::find(out, each.dtype) == out.end()) out.push_back(each.dtype);
  }
  return out;
}

std::vector<std::string> units_of(const std::vector<std::string>& dtypes) {
  std::vector<std::string> out;
  for (const std::string& each : dtypes) out.push_back(unit_of(each));
  return out;
}

template <class P>
const P* find(const std::vector<P>& points, const std::string& dtype, const std::function<bool(const P&)>& is_it) {
  const auto found = std::ranges::find_if(points, [&](const P& each) { return each.dtype == dtype && is_it(each); });
  return found == points.end() ? nullptr : &*found;
}

std::string rate_text(std::optional<double> rate) { return rate ? fmt::format("{:.3g}", *rate / 1e12) : kNone; }

std::string gemm_cell(const GemmPoint* point, const std::vector<probe::Best>& bests, Marks& marks) {
  if (!point) return kNone;
  const std::optional<double> speed = probe::rate(*point);
  if (!speed) return point->fault ? reason_text(point->fault->reason) : kNone;
  const auto best = std::ranges::find(bests, point->dtype, &probe::Best::dtype);
  const std::string share = best == bests.end() ? kNone : share_text(*speed / best->rate);
  return fmt::format("{} {:>6}{:<2}", rate_text(speed), share, marks.of(*point) + marks.of(probe::precise(*point)));
}

/// Types of which nothing at all was measured for one and the same reason stand in one line, not in a column of it.
std::optional<probe::Fault> refusal_of(const std::vector<GemmPoint>& points, const std::string& dtype) {
  const GemmPoint* first = nullptr;
  for (const GemmPoint& each : points) {
    if (each.dtype != dtype) continue;
    if (!each.fault || (first && first->fault->reason != each.fault->reason)) return std::nullopt;
    if (!first) first = &each;
  }
  return first ? first->fault : std::nullopt;
}

std::string best_table(const DeviceView& view, const std::vector<probe::Best>& bests, Marks& marks) {
  text::Table table({say(DeviceMsg::column_precision), say(DeviceMsg::column_best), say(DeviceMsg::column_at),
                     say(DeviceMsg::column_of_peak), say(DeviceMsg::column_computed_as), say(DeviceMsg::column_error)});
  table.flush_left(2);
  table.flush_left(4);
  std::string kernels;
  for (const probe::Best& each : bests) {
    const std::optional<double> peak = catalogue_peak(view.catalogued, each.dtype);
    const GemmPoint& at = each.at;
    const auto like = at.rel_l2 ? probe::precision_like(*at.rel_l2, each.dtype) : std::nullopt;
    table.add_row({each.dtype, rate_text(each.rate) + " " + unit_of(each.dtype) + marks.of(at),
                   fmt::format("{:.0f} x {:.0f} x {:.0f}", at.m, at.n, at.k),
                   peak ? share_text(each.rate / *peak) : say(DeviceMsg::cell_unknown),
                   (like ? *like : say(DeviceMsg::cell_unknown)) + marks.of(probe::precise(at)),
                   at.rel_l2 ? fmt::format("{:.1e}", *at.rel_l2) : kNone});
    if (!at.kernel.empty()) kernels += (kernels.empty() ? "" : " · ") + each.dtype + " " + at.kernel;
  }
  if (kernels.empty()) return table.render();
  return table.render() + text::wrapped("  " + say(DeviceMsg::line_kernels, kernels), kDeviceWidth - 2, 4);
}

std::string attention_shape(const probe::AttentionPoint& point) {
  return fmt::format("{} {:.0f}/{:.0f} x {:.0f}, {:.0f}", point.label, point.heads, point.kv_heads, point.head_dim,
                     point.query_len);
}

}  // namespace

std::string device_gemm(const DeviceView& view, Marks& marks) {
  const std::vector<GemmPoint>& points = view.survey.gemm;
  if (points.empty()) return "";
  std::string out = "\n  " + say(DeviceMsg::title_gemm) + "\n";
  std::vector<std::string> dtypes, shapes;
  std::string refused;
  for (const std::string& each : types_of(points)) {
    if (const auto fault = refusal_of(points, each)) {
      refused +=
          text::wrapped("  " + each + ": " + reason_text(fault->reason) + " · " + fault->message, kDeviceWidth - 2, 4);
    } else {
      dtypes.push_back(each);
    }
  }
  for (const GemmPoint& each : points) {
    if (each.label == "roofline") continue;  // they stand with the roofline
    const std::string shape = shape_text(each);
    if (std::ranges::find(shapes, shape) == shapes.end()) shapes.push_back(shape);
  }
  const std::vector<probe::Best> bests = probe::bests(points);
  if (!dtypes.empty()) {
    out +=
        by_type("m x n x k", shapes, dtypes, units_of(dtypes), [&](const std::string& shape, const std::string& dtype) {
          return gemm_cell(
              find<GemmPoint>(points, dtype, [&](const GemmPoint& each) { return shape_text(each) == shape; }), bests,
              marks);
        });
  }
  if (!bests.empty()) out += "\n" + best_table(view, bests, marks);
  out += refused + "  " + say(DeviceMsg::line_one_device) + "\n";
  return out;
}

std::string device_attention(const DeviceView& view, Marks& marks) {
  const std::vector<probe::AttentionPoint>& points = view.survey.attention;
  if (points.empty()) return "";
  const std::vector<std::string> dtypes = types_of(points);
  std::vector<std::string> shapes;
  for (const auto& each : points) {
    if (std::ranges::find(shapes, attention_shape(each)) == shapes.end()) shapes.push_back(attention_shape(each));
  }
  return "\n  " + say(DeviceMsg::title_attention) + "\n" +
         by_type(say(DeviceMsg::column_attention), shapes, dtypes, units_of(dtypes),
                 [&](const std::string& shape, const std::string& dtype) -> std::string {
                   const auto* point = find<probe::AttentionPoint>(
                       points, dtype, [&](const auto& each) { return attention_shape(each) == shape; });
                   if (!point) return kNone;
                   const auto speed = probe::rate(*point);
                   if (!speed) return point->fault ? reason_text(point->fault->reason) : kNone;
                   return rate_text(speed) + fmt::format("{:<2}", marks.of(*point));
                 });
}

std::string device_specialisation(const DeviceView& view) {
  std::vector<probe::Specialisation> all = probe::gemm_specialisation(view.survey.gemm);
  for (auto& each : probe::attention_specialisation(view.survey.attention)) all.push_back(std::move(each));
  if (all.empty()) return "";
  text::Table table({say(DeviceMsg::column_precision), say(DeviceMsg::column_of), say(DeviceMsg::column_shapes),
                     say(DeviceMsg::column_median), "P5", say(DeviceMsg::column_worst)});
  table.flush_left(1);
  table.flush_left(5);
  for (const probe::Specialisation& each : all) {
    table.add_row({each.dtype, each.kind, std::to_string(each.shapes), share_text(each.median), share_text(each.p5),
                   each.worst + "  " + share_text(each.least)});
  }
  return "\n  " + say(DeviceMsg::title_specialisation) + "\n" + table.render();
}

}  // namespace scoville::report
