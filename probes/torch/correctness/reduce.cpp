#include "correctness/reduce.hpp"

namespace scoville::torch_probe::correctness {
namespace {

/// What one step is worth in each row, so that the largest value becomes `largest`. A row of zeros stays one.
at::Tensor row_scales(const at::Tensor& matrix, double largest) {
  return matrix.abs().amax(-1, true).clamp_min(1e-30) / largest;
}

at::Tensor fp8_and_back([[maybe_unused]] const at::Tensor& matrix) {
#if SCOVILLE_TORCH_AT_LEAST(2, 1)
  const at::Tensor scales = row_scales(matrix, 448);
  return (matrix / scales).to(at::kFloat8_e4m3fn).to(at::kFloat) * scales;
#else
  return matrix;
#endif
}

/// Worked out on the host: a device under test does not prepare its own reference.
template <class Reduce>
void reduce(at::Tensor& matrix, Reduce&& reduced) {
  if (!matrix.defined()) return;
  const at::Tensor host = matrix.to(at::kCPU).to(at::kFloat);
  matrix = reduced(host).to(matrix.scalar_type()).to(matrix.device());
}

template <class Reduce>
model::Transformer::Edit edit_by(Reduce reduced) {
  return [reduced](std::int64_t, model::LayerWeights& weights) {
    for (at::Tensor* const each : {&weights.qkv, &weights.output, &weights.gate_up, &weights.down})
      reduce(*each, reduced);
  };
}

}  // namespace

at::Tensor int8_and_back(const at::Tensor& matrix) {
  const at::Tensor scales = row_scales(matrix, 127);
  return (matrix / scales).round().clamp(-127, 127) * scales;
}

model::Transformer::Edit reduced_weights(const std::string& name, std::string& why_not) {
  if (name == "int8") return edit_by(int8_and_back);
  if (name == "fp8" && SCOVILLE_TORCH_AT_LEAST(2, 1)) return edit_by(fp8_and_back);
  why_not = name == "fp8" ? "this build of torch has no 8-bit floating point dtype" : "no such variant: " + name;
  return {};
}

}  // namespace scoville::torch_probe::correctness
