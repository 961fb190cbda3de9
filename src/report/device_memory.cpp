#include <fmt/format.h>

#include <algorithm>

#include "base/duration.hpp"
#include "probe/copy_fit.hpp"
#include "probe/figures.hpp"
#include "report/cells.hpp"
#include "report/device_parts.hpp"
#include "text/catalogue/device.hpp"
#include "text/table.hpp"

namespace scoville::report {
namespace {

using probe::BandwidthPoint;
using text::DeviceMsg;
using text::say;

std::string gigabytes(std::optional<double> rate) { return rate ? number(*rate / 1e9) : kNone; }

std::string time_text(double nanos) {
  return nanos < 1000 ? fmt::format("{:.3g} ns", nanos) : format_duration(Nanos(static_cast<Nanos::rep>(nanos)));
}

std::string rate_cell(const BandwidthPoint* point, Marks& marks) {
  if (!point) return kNone;
  const std::optional<double> rate = probe::rate(*point);
  if (!rate) return point->fault ? reason_text(point->fault->reason) : kNone;
  return gigabytes(rate) + marks.of(*point);
}

std::string time_cell(const probe::Point& point, Marks& marks) {
  if (point.is_good()) return time_text(point.hot->median) + marks.of(point);
  return point.fault ? reason_text(point.fault->reason) : kNone;
}

std::string sweep_table(const std::vector<BandwidthPoint>& sweep, Marks& marks) {
  if (sweep.empty()) return "";
  text::Table table({say(DeviceMsg::column_array), say(DeviceMsg::column_triad)});
  for (const BandwidthPoint& each : sweep) table.add_row({binary_size(each.array_bytes), rate_cell(&each, marks)});
  return "\n" + table.render();
}

}  // namespace

std::string device_bandwidth(const DeviceView& view, Marks& marks) {
  const std::vector<BandwidthPoint>& points = view.survey.bandwidth;
  if (points.empty() && view.survey.sweep.empty()) return "";
  std::string out = "\n  " + say(DeviceMsg::title_bandwidth) + "\n";
  if (points.empty()) return out + sweep_table(view.survey.sweep, marks);
  text::Table table({say(DeviceMsg::column_operation), say(DeviceMsg::column_regular),
                     say(DeviceMsg::column_non_temporal), say(DeviceMsg::column_of_memory)});
  const auto find = [&](const std::string& operation, std::string_view stores) -> const BandwidthPoint* {
    const auto found = std::ranges::find_if(
        points, [&](const BandwidthPoint& each) { return each.operation == operation && each.stores == stores; });
    return found == points.end() ? nullptr : &*found;
  };
  std::vector<std::string> operations;
  for (const BandwidthPoint& each : points) {
    if (std::ranges::find(operations, each.operation) == operations.end()) operations.push_back(each.operation);
  }
  for (const std::string& operation : operations) {
    const BandwidthPoint *regular = find(operation, "regular"), *streaming = find(operation, "non_temporal");
    std::optional<double> best;
    for (const BandwidthPoint* each : {regular, streaming}) {
      if (const auto rate = each ? probe::rate(*each) : std::nullopt) best = std::max(best.value_or(0), *rate);
    }
    const bool is_known = view.catalogued && view.catalogued->bandwidth && best;
    table.add_row({operation, rate_cell(regular, marks), rate_cell(streaming, marks),
                   is_known ? share_text(*best / view.catalogued->bandwidth->value) : say(DeviceMsg::cell_unknown)});
  }
  return out + table.render() + "  " + say(DeviceMsg::line_stream, binary_size(points.front().array_bytes)) + "\n" +
         sweep_table(view.survey.sweep, marks);
}

std::string device_latency(const DeviceView& view, Marks& marks) {
  if (view.survey.latency.empty()) return "";
  text::Table table({say(DeviceMsg::column_working_set), say(DeviceMsg::column_load)});
  for (const probe::LatencyPoint& each : view.survey.latency) {
    table.add_row({binary_size(each.working_set_bytes), time_cell(each, marks)});
  }
  return "\n  " + say(DeviceMsg::title_latency) + "\n" + table.render();
}

std::string device_copies(const DeviceView& view, Marks& marks) {
  const std::vector<probe::CopyLine> lines = probe::copy_lines(view.survey.copies);
  if (lines.empty()) return "";
  text::Table table({say(DeviceMsg::column_direction), say(DeviceMsg::column_host_memory),
                     say(DeviceMsg::column_largest), say(DeviceMsg::column_gigabytes), say(DeviceMsg::column_start),
                     say(DeviceMsg::column_slope), say(DeviceMsg::column_off_line)});
  table.flush_left(1);
  for (const probe::CopyLine& line : lines) {
    const auto largest = std::ranges::max_element(
        line.points, {}, [](const probe::CopyPoint& each) { return each.is_good() ? each.bytes : 0; });
    const std::string memory =
        !line.is_pinned ? kNone : say(*line.is_pinned ? DeviceMsg::cell_pinned : DeviceMsg::cell_pageable);
    const std::string rate = largest->is_good() ? gigabytes(probe::rate(*largest)) + marks.of(*largest)
                             : largest->fault   ? reason_text(largest->fault->reason)
                                                : std::string(kNone);
    table.add_row(
        {line.direction, memory, binary_size(largest->bytes), rate, line.fit ? time_text(line.fit->start_ns) : kNone,
         line.fit ? gigabytes(line.fit->bytes_per_second) : kNone, line.fit ? share_text(line.fit->worst) : kNone});
  }
  return "\n  " + say(DeviceMsg::title_copy) + "\n" + table.render();
}

std::string device_launches(const DeviceView& view, Marks& marks) {
  if (view.survey.launches.empty()) return "";
  text::Table table({say(DeviceMsg::column_launch), say(DeviceMsg::column_time)});
  for (const probe::LaunchPoint& each : view.survey.launches) {
    const std::string name = each.kind == "enqueue"           ? say(DeviceMsg::launch_enqueue)
                             : each.kind == "pipelined"       ? say(DeviceMsg::launch_pipelined)
                             : each.kind == "roundtrip"       ? say(DeviceMsg::launch_roundtrip)
                             : each.kind == "parallel_region" ? say(DeviceMsg::launch_region)
                                                              : each.kind;
    table.add_row({name, time_cell(each, marks)});
  }
  return "\n  " + say(DeviceMsg::title_launch) + "\n" + table.render();
}

}  // namespace scoville::report
