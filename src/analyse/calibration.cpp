#include "analyse/calibration.hpp"

#include <algorithm>
#include <array>

#include "analyse/quantiles.hpp"
#include "base/json_fields.hpp"

namespace scoville::analyse {
namespace {

constexpr const char* kSchema = "scoville.calibration/1";
constexpr std::array<std::string_view, 3> kVerdicts{"ok", "suspect", "bottleneck"};
constexpr std::array<std::string_view, 8> kReasons{"",
                                                   "not calibrated",
                                                   "not calibrated for this transport",
                                                   "not calibrated for this number of threads",
                                                   "beyond the calibrated rate",
                                                   "calibrated with kernel stamps, this run had none",
                                                   "the client was the bottleneck",
                                                   "no token events"};

template <class Archive, class Point>
void point_fields(Archive& archive, Point& point) {
  archive("threads", point.setting.threads);
  archive.named("transport", point.setting.transport, kTransportNames);
  archive("asked_events_per_s", point.asked_per_s);
  archive("events_per_s", point.achieved_per_s);
  archive("streams", point.streams);
  archive("n", point.n);
  archive("p50_ns", point.p50);
  archive("p99_ns", point.p99);
  archive("max_ns", point.largest);
  archive("icl_error_sd_ns", point.icl_error_sd_ns);
  archive("read_lag_p99_ns", point.read_lag_p99);
  archive("send_lag_p99_ns", point.send_lag_p99);
  archive("late_merged_share", point.late_merged_share);
  archive("kernel_stamps", point.has_kernel_stamps);
  archive.named("verdict", point.verdict, kVerdicts);
  archive("reasons", point.reasons);
}

template <class Archive, class Whole>
void fields(Archive& archive, Whole& calibration) {
  archive("machine", calibration.machine);
  archive("made_ns", calibration.made);
}

}  // namespace

std::string_view name_of(Transport transport) { return kTransportNames[static_cast<std::size_t>(transport)]; }
std::string_view name_of(NoBound reason) { return kReasons[static_cast<std::size_t>(reason)]; }

Nanos CalibrationPoint::error() const { return begin_quantile(0.99, n).is_supported ? p99 : largest; }

bool Calibration::has_kernel_stamps() const {
  return std::any_of(points.begin(), points.end(), [](const CalibrationPoint& each) { return each.has_kernel_stamps; });
}

std::vector<CalibrationPoint> Calibration::good_points(const CalibrationSetting& setting) const {
  std::vector<CalibrationPoint> good;
  for (const CalibrationPoint& each : points) {
    if (each.setting != setting) continue;
    if (!each.is_good()) break;
    good.push_back(each);
  }
  return good;
}

Calibration::Found Calibration::lookup(double events_per_s, const CalibrationSetting& setting) const {
  const auto has = [&](auto matches) { return std::any_of(points.begin(), points.end(), matches); };
  if (!has([&](const CalibrationPoint& each) { return each.setting.transport == setting.transport; })) {
    return {std::nullopt, NoBound::other_transport};
  }
  if (!has([&](const CalibrationPoint& each) { return each.setting == setting; })) {
    return {std::nullopt, NoBound::other_threads};
  }
  std::vector<CalibrationPoint> good = good_points(setting);
  std::sort(good.begin(), good.end(),
            [](const CalibrationPoint& a, const CalibrationPoint& b) { return a.achieved_per_s < b.achieved_per_s; });
  const auto above =
      std::lower_bound(good.begin(), good.end(), events_per_s,
                       [](const CalibrationPoint& point, double rate) { return point.achieved_per_s < rate; });
  if (above == good.end()) return {std::nullopt, NoBound::beyond_rate};
  Nanos error = above->error();
  if (above != good.begin() && above->achieved_per_s > events_per_s) error = std::max(error, (above - 1)->error());
  return {error, NoBound::none};
}

json::object to_json(const Calibration& calibration) {
  JsonOut out;
  fields(out, calibration);
  json::array points;
  for (const CalibrationPoint& each : calibration.points) {
    JsonOut point;
    point_fields(point, each);
    points.push_back(std::move(point).object());
  }
  json::object object{{"schema", kSchema}};
  for (auto& [key, value] : std::move(out).object()) object[key] = std::move(value);
  object["points"] = std::move(points);
  return object;
}

Result<Calibration> calibration_from(const json::value& value) {
  Calibration calibration;
  JsonIn in(value, "calibration");
  fields(in, calibration);
  if (Status status = in.status(); !status) return status.error();
  const json::value* const points = value.as_object().if_contains("points");
  if (!points || !points->is_array()) {
    return Error{ErrorCode::invalid_argument, "calibration.points: expected a list"};
  }
  for (const json::value& each : points->as_array()) {
    CalibrationPoint point;
    JsonIn inner(each, "calibration.points");
    point_fields(inner, point);
    if (Status status = inner.status(); !status) return status.error();
    calibration.points.push_back(std::move(point));
  }
  return calibration;
}

}  // namespace scoville::analyse
