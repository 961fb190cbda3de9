// Compiled with -mavx512f.
#include "stream_kernels.inc"

namespace scoville::cpu_probe {

StreamKernels stream_kernels_avx512() { return kernels(); }

}  // namespace scoville::cpu_probe
