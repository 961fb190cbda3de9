#include "stats/pareto.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "stats/finite.hpp"

namespace scoville::stats {
namespace {

bool are_measured(std::span<const TradeOff> points) {
  return std::ranges::all_of(points, [](const TradeOff& point) {
    return point.x >= 0 && point.y >= 0 && std::isfinite(point.x) && std::isfinite(point.y);
  });
}

}  // namespace

std::optional<std::vector<std::size_t>> frontier(std::span<const TradeOff> points) {
  if (!are_measured(points)) return std::nullopt;
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // From the right; at equal x the higher first, so that whatever does not rise is beaten.
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return points[a].x != points[b].x ? points[a].x > points[b].x : points[a].y > points[b].y;
  });
  std::vector<std::size_t> kept;
  for (const std::size_t each : order) {
    if (kept.empty() || points[each].y > points[kept.back()].y) kept.push_back(each);
  }
  std::ranges::reverse(kept);
  return kept;
}

std::optional<std::size_t> best_at(std::span<const TradeOff> points, double target) {
  if (!are_measured(points)) return std::nullopt;
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].x >= target && (!best || points[i].y > points[*best].y)) best = i;
  }
  return best;
}

std::optional<double> ratio_at(std::span<const TradeOff> base, std::span<const TradeOff> other, double target) {
  const auto from = best_at(base, target), to = best_at(other, target);
  if (!from || !to) return std::nullopt;
  return if_finite(other[*to].y / base[*from].y);
}

std::optional<double> hypervolume(std::span<const TradeOff> points) {
  const auto kept = frontier(points);
  if (!kept) return std::nullopt;
  double area = 0, reached = 0;
  for (const std::size_t each : *kept) {
    area += (points[each].x - reached) * points[each].y;
    reached = points[each].x;
  }
  return if_finite(area);
}

}  // namespace scoville::stats
