// Multiplies a vector, and sums one value over a warp.
#include <cuda_runtime.h>

__global__ void scale(float* x, float by, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}

__device__ float sum_of_warp(float v) {
  for (int lanes = 16; lanes > 0; lanes /= 2) v += __shfl_xor_sync(0xffffffff, v, lanes);
  asm volatile("" ::: "memory");
  return v;
}

void launch(float* x, float by, int n, cudaStream_t stream) {
  scale<<<(n + 255) / 256, 256, 0, stream>>>(x, by, n);
}
