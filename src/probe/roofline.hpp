#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "probe/figures.hpp"

namespace scoville::probe {

enum class Bound { launch, memory, transition, compute };
std::string_view name_of(Bound bound);

/// What one type can reach: P(AI) = min(peak, AI · bandwidth) (Williams, Waterman, Patterson 2009).
struct Roof {
  double peak = 0;       ///< operations per second, > 0
  double bandwidth = 0;  ///< bytes per second, > 0

  /// Operations per byte at which both bind.
  double ridge() const { return peak / bandwidth; }
  double at(double intensity) const;
};

/// One product under its roof.
struct RoofPoint {
  GemmPoint of;
  double intensity = 0, rate = 0;
  double roof = 0;
  Bound bound = Bound::transition;
  /// Of the roof; above 1 where its data came from a cache, whose bandwidth is larger than the memory's.
  double share() const { return rate / roof; }
};

struct Roofline {
  std::string dtype;
  Roof roof;  ///< both measured: the best product, the best bandwidth
  std::vector<RoofPoint> points;
};

/// memory below half the ridge, compute above twice of it, transition between. Launch-bound, before all else, where the
/// time is less than three launches in a row; `launch_ns` empty: not known, and never said.
Bound bound_of(double intensity, double time_ns, const Roof& roof, std::optional<double> launch_ns);

/// Rooflines of all types that were measured, by their own best; empty without a bandwidth.
std::vector<Roofline> rooflines(const std::vector<GemmPoint>& points, std::optional<double> bandwidth,
                                std::optional<double> launch_ns);

/// The time of one launch among many: pipelined, else enqueue, else roundtrip.
std::optional<double> launch_time(const std::vector<LaunchPoint>& points);

}  // namespace scoville::probe
