#pragma once

#include <string>

#include "numerics/baseline.hpp"
#include "shim.hpp"

namespace scoville::torch_probe::correctness {

/// Whether a part gave the same again: bit by bit, else ‖now − before‖ / ‖before‖ in double precision on the host.
numerics::Repeat repeat_of(const std::string& part, const at::Tensor& now, const at::Tensor& before);

}  // namespace scoville::torch_probe::correctness
