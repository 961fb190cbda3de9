#pragma once

#include <string>

#include "base/json.hpp"

namespace scoville::torch_probe {

/// Everything in this process whose version can move a number: torch, its package, the BLAS that is really loaded,
/// OpenMP, oneDNN, the instruction set that its kernels use. Results are stored by it.
json::object stack();

/// Two pools of threads that wait by spinning slow each other down: OpenMP's, and that of an OpenBLAS built on
/// pthreads. True where both are here and nobody has said how OpenMP should wait; then it should wait asleep.
bool has_fighting_pools();

/// Threads of an OpenBLAS that has a pool of its own.
void use_blas_threads(int threads);

}  // namespace scoville::torch_probe
