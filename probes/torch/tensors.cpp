#include "tensors.hpp"

#include <ATen/CPUGeneratorImpl.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "trouble.hpp"

namespace scoville::torch_probe {
namespace {

constexpr std::array<const char*, 8> kNames{"fp64", "fp32", "tf32", "fp16", "bf16", "fp8_e4m3", "fp8_e5m2", "int8"};

at::ScalarType float8(Optional<at::ScalarType> type, Precision precision) {
  if (type) return *type;
  throw Trouble(probe::Reason::absent_in_torch, "torch " TORCH_VERSION " has no type for " + name_of(precision));
}

double largest_of(at::ScalarType float8_type) { return float8_type == *kFloat8E5m2 ? 57344 : 448; }

}  // namespace

Precision precision_named(const std::string& name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) throw std::invalid_argument("dtypes: no precision is called \"" + name + "\"");
  return static_cast<Precision>(found - kNames.begin());
}

std::string name_of(Precision precision) { return kNames[static_cast<std::size_t>(precision)]; }

at::ScalarType type_of(Precision precision) {
  switch (precision) {
    case Precision::fp64:
      return at::kDouble;
    case Precision::fp32:
    case Precision::tf32:
      return at::kFloat;
    case Precision::fp16:
      return at::kHalf;
    case Precision::bf16:
      return at::kBFloat16;
    case Precision::fp8_e4m3:
      return float8(kFloat8E4m3, precision);
    case Precision::fp8_e5m2:
      return float8(kFloat8E5m2, precision);
    case Precision::int8:
      return at::kChar;
  }
  return at::kFloat;
}

at::Tensor gaussian(at::IntArrayRef sizes, std::uint64_t seed, at::ScalarType type) {
  const at::Generator generator = at::detail::createCPUGenerator(seed);
  return at::randn(sizes, generator, at::TensorOptions().dtype(type));
}

void poison(const at::Tensor& output) {
  if (at::isFloatingType(output.scalar_type())) {
    output.fill_(std::numeric_limits<double>::quiet_NaN());
  } else {
    output.fill_(std::numeric_limits<std::int32_t>::min());
  }
}

std::int64_t count_poison(const at::Tensor& output) {
  const at::Tensor here = output.to(at::kCPU);
  const bool is_real = at::isFloatingType(here.scalar_type());
  return (is_real ? here.isnan() : here.eq(std::numeric_limits<std::int32_t>::min())).sum().item<std::int64_t>();
}

at::Tensor pinned(const at::Tensor& tensor, const c10::Device& device) {
  if (device.is_cpu()) throw Trouble(probe::Reason::unsupported, "host and device are one");
  return tensor.pin_memory(device);
}

Quantized quantize_rows(const at::Tensor& tensor) {
  const at::Tensor scales = (tensor.abs().amax(-1, /*keepdim=*/true).to(at::kDouble) / 127.0).clamp_min(1e-30);
  return {(tensor / scales.to(tensor.scalar_type())).round_().clamp_(-127, 127).to(at::kChar), scales};
}

Scaled scale_to_float8(const at::Tensor& tensor, at::ScalarType type) {
  const at::Tensor scale = (tensor.abs().max().to(at::kFloat) / largest_of(type)).clamp_min(1e-30);
  return {(tensor / scale).to(type), scale.reshape({1})};
}

void Difference::add(const at::Tensor& result, const at::Tensor& reference) {
  const at::Tensor difference = result - reference;
  squares += difference.square().sum().item<double>();
  reference_squares += reference.square().sum().item<double>();
  if (difference.numel() > 0) max_abs = std::max(max_abs, difference.abs().max().item<double>());
  is_finite = is_finite && std::isfinite(squares);
}

double Difference::rel_l2() const {
  return reference_squares > 0 ? std::sqrt(squares / reference_squares) : std::sqrt(squares);
}

}  // namespace scoville::torch_probe
