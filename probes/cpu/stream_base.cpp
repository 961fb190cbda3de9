#include "stream_kernels.inc"

namespace scoville::cpu_probe {

StreamKernels stream_kernels_base() { return kernels(); }

}  // namespace scoville::cpu_probe
