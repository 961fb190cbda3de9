#include "correctness/repeats.hpp"

#include <cmath>
#include <cstring>

namespace scoville::torch_probe::correctness {
namespace {

at::Tensor on_host(const at::Tensor& tensor) { return tensor.detach().to(at::kCPU).contiguous(); }

/// Empty where `b` is zero and `a` is not, or something is not finite.
std::optional<double> relative_l2(const at::Tensor& a, const at::Tensor& b) {
  const at::Tensor x = on_host(a).to(at::kDouble), y = on_host(b).to(at::kDouble);
  const double off = (x - y).norm().item<double>(), size = y.norm().item<double>();
  if (!std::isfinite(off) || (size == 0 && off > 0)) return std::nullopt;
  return off == 0 ? 0 : off / size;
}

}  // namespace

numerics::Repeat repeat_of(const std::string& part, const at::Tensor& now, const at::Tensor& before) {
  const at::Tensor a = on_host(now), b = on_host(before);
  const bool is_bitwise = a.nbytes() == b.nbytes() && std::memcmp(a.data_ptr(), b.data_ptr(), a.nbytes()) == 0;
  return {part, is_bitwise, is_bitwise ? std::optional<double>(0) : relative_l2(a, b)};
}

}  // namespace scoville::torch_probe::correctness
