#pragma once

#include <optional>
#include <string>
#include <vector>

#include "probe/points.hpp"

namespace scoville::probe {

/// t = α + n / β: what starting a copy costs, and what moving costs from then on.
struct CopyFit {
  double start_ns = 0;          ///< α; not below 0
  double bytes_per_second = 0;  ///< β
  double worst = 0;             ///< largest |t − fit| ÷ t: how far the line is from what was measured
  std::size_t sizes = 0;
};

/// Least squares of the relative errors, so that the short copies, which α is read from, weigh as much as the long ones
/// (absolute ones would leave α to the noise of the longest). Empty with fewer than three sizes, or where time does not
/// grow with size.
std::optional<CopyFit> fit_copy(const std::vector<CopyPoint>& points);

/// The points of one direction and kind of host memory.
struct CopyLine {
  std::string direction;
  std::optional<bool> is_pinned;
  std::vector<CopyPoint> points;
  std::optional<CopyFit> fit;
};
std::vector<CopyLine> copy_lines(const std::vector<CopyPoint>& points);

}  // namespace scoville::probe
