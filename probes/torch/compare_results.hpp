#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "shim.hpp"

namespace scoville::torch_probe {

/// How far results are from what is right.
struct Distance {
  std::optional<double> rel_l2, max_abs;  ///< of floating results, taken together; nullopt: there are none
  std::int64_t mismatched = 0;            ///< whole numbers and truths that differ
  std::int64_t nan = 0;                   ///< not finite where the reference is
  bool shape_differs = false;
};

/// Results (on any device) against the reference (CPU). `magnitudes`: signs are free.
Distance distance(const std::vector<at::Tensor>& results, const std::vector<at::Tensor>& reference, bool magnitudes);

/// Each element 0 or twice that of `input`: the distance of the others, and of a share that is no half.
Distance distance_kept_or_dropped(const at::Tensor& result, const at::Tensor& input);

}  // namespace scoville::torch_probe
