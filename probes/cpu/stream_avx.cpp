// Compiled with -mavx.
#include "stream_kernels.inc"

namespace scoville::cpu_probe {

StreamKernels stream_kernels_avx() { return kernels(); }

}  // namespace scoville::cpu_probe
