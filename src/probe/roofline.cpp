#include "probe/roofline.hpp"

#include <algorithm>
#include <array>

namespace scoville::probe {

std::string_view name_of(Bound bound) {
  constexpr std::array<std::string_view, 4> kNames{"launch", "memory", "transition", "compute"};
  return kNames[static_cast<std::size_t>(bound)];
}

double Roof::at(double intensity) const { return std::min(peak, intensity * bandwidth); }

Bound bound_of(double intensity, double time_ns, const Roof& roof, std::optional<double> launch_ns) {
  if (launch_ns && time_ns < 3 * *launch_ns) return Bound::launch;
  if (intensity < 0.5 * roof.ridge()) return Bound::memory;
  return intensity > 2 * roof.ridge() ? Bound::compute : Bound::transition;
}

std::vector<Roofline> rooflines(const std::vector<GemmPoint>& points, std::optional<double> bandwidth,
                                std::optional<double> launch_ns) {
  std::vector<Roofline> all;
  if (!bandwidth || !(*bandwidth > 0)) return all;
  for (const Best& best : bests(points)) {
    Roofline one{best.dtype, {best.rate, *bandwidth}, {}};
    for (const GemmPoint& point : points) {
      const auto speed = rate(point), operations_per_byte = intensity(point);
      if (point.dtype != best.dtype || !speed || !operations_per_byte) continue;
      one.points.push_back({point, *operations_per_byte, *speed, one.roof.at(*operations_per_byte),
                            bound_of(*operations_per_byte, point.hot->median, one.roof, launch_ns)});
    }
    std::ranges::stable_sort(one.points, {}, &RoofPoint::intensity);
    if (!one.points.empty()) all.push_back(std::move(one));
  }
  return all;
}

std::optional<double> launch_time(const std::vector<LaunchPoint>& points) {
  for (const std::string_view kind : {"pipelined", "enqueue", "roundtrip"}) {
    for (const LaunchPoint& each : points) {
      if (each.kind == kind && each.is_good()) return each.hot->median;
    }
  }
  return std::nullopt;
}

}  // namespace scoville::probe
