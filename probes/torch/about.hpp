#pragma once

#include "base/json.hpp"

namespace scoville::torch_probe {

/// The answer to `describe`: this build of torch, its BLAS, the devices it reaches.
json::object describe();

/// Threads that torch's operators use on the CPU: those this process may run on, unless set otherwise.
void use_threads(int threads);

}  // namespace scoville::torch_probe
