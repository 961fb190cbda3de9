#include "probe/copy_fit.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace scoville::probe {
namespace {

struct Sums {
  double w = 0, x = 0, xx = 0, t = 0, xt = 0;

  void add(double bytes, double time) {
    const double weight = 1 / (time * time);
    w += weight;
    x += weight * bytes;
    xx += weight * bytes * bytes;
    t += weight * time;
    xt += weight * bytes * time;
  }
};

}  // namespace

std::optional<CopyFit> fit_copy(const std::vector<CopyPoint>& points) {
  Sums sums;
  std::set<double> sizes;
  for (const CopyPoint& each : points) {
    if (!each.is_good() || !(each.bytes > 0)) continue;
    sums.add(each.bytes, each.hot->median);
    sizes.insert(each.bytes);
  }
  if (sizes.size() < 3) return std::nullopt;
  const double spread = sums.w * sums.xx - sums.x * sums.x;
  double slope = (sums.w * sums.xt - sums.x * sums.t) / spread;
  double start = (sums.t - slope * sums.x) / sums.w;
  if (start < 0) {  // a copy does not begin before it is started: the line through the origin
    start = 0;
    slope = sums.xt / sums.xx;
  }
  if (!(slope > 0)) return std::nullopt;
  CopyFit fit{start, 1e9 / slope, 0, sizes.size()};
  for (const CopyPoint& each : points) {
    if (!each.is_good() || !(each.bytes > 0)) continue;
    fit.worst = std::max(fit.worst, std::abs(start + slope * each.bytes - each.hot->median) / each.hot->median);
  }
  return fit;
}

std::vector<CopyLine> copy_lines(const std::vector<CopyPoint>& points) {
  std::vector<CopyLine> lines;
  for (const CopyPoint& each : points) {
    const auto found = std::ranges::find_if(lines, [&](const CopyLine& line) {
      return line.direction == each.direction && line.is_pinned == each.is_pinned;
    });
    CopyLine& line =
        found != lines.end() ? *found : lines.emplace_back(CopyLine{each.direction, each.is_pinned, {}, {}});
    line.points.push_back(each);
  }
  for (CopyLine& line : lines) line.fit = fit_copy(line.points);
  return lines;
}

}  // namespace scoville::probe
