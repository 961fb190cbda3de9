#pragma once

#include <cstddef>

namespace scoville::cpu_probe {

/// Loops over the part of arrays that one thread has: `count` elements, a multiple of 8, from a 64-byte boundary on.
/// Compiled several times for the instructions that a processor may have; nothing in here may be inline elsewhere.
struct StreamKernels {
  const char* isa;
  bool has_non_temporal;
  using Copy = void (*)(double* to, const double* from, std::size_t count);
  using Mul = void (*)(double* to, const double* from, double scale, std::size_t count);
  using Add = void (*)(double* to, const double* one, const double* other, std::size_t count);
  using Triad = void (*)(double* to, const double* one, const double* other, double scale, std::size_t count);
  using Read = double (*)(const double* from, std::size_t count);
  using Write = void (*)(double* to, double value, std::size_t count);
  Copy copy[2];  // [0] regular stores, [1] non-temporal ones
  Mul mul[2];
  Add add[2];
  Triad triad[2];
  Read read;
  Write write[2];
};

StreamKernels stream_kernels_base();
#if defined(__x86_64__)
StreamKernels stream_kernels_avx();
StreamKernels stream_kernels_avx512();
#endif
/// The widest that this processor runs.
const StreamKernels& stream_kernels();

}  // namespace scoville::cpu_probe
