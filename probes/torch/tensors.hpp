#pragma once

#include <cstdint>
#include <string>

#include "shim.hpp"

namespace scoville::torch_probe {

/// What a product is computed in, by the names of docs/formats/probe.md.
enum class Precision { fp64, fp32, tf32, fp16, bf16, fp8_e4m3, fp8_e5m2, int8 };

/// Throws std::invalid_argument.
Precision precision_named(const std::string& name);
std::string name_of(Precision precision);
/// The type of the inputs. Throws Trouble (absent_in_torch) where this build has no such type.
at::ScalarType type_of(Precision precision);

/// Standard normal numbers on the CPU: the same for the same seed, whatever device they are moved to. Never constant:
/// hardware runs faster on numbers that do not change.
at::Tensor gaussian(at::IntArrayRef sizes, std::uint64_t seed, at::ScalarType type = at::kFloat);

/// Fills an output with what no product gives, so that elements which a kernel did not write are seen: NaN, or the
/// smallest whole number.
void poison(const at::Tensor& output);
/// Elements that are still that.
std::int64_t count_poison(const at::Tensor& output);

/// A copy in host memory that the device reads by itself. Throws Trouble (unsupported) where it has none such.
at::Tensor pinned(const at::Tensor& tensor, const c10::Device& device);

/// A tensor as whole numbers of eight bits, with the scale of each row: `tensor` ≈ values · scales.
struct Quantized {
  at::Tensor values;  ///< int8
  at::Tensor scales;  ///< double, one a row
};
Quantized quantize_rows(const at::Tensor& tensor);

/// As float8 with one scale for all: `tensor` ≈ values · scale. The scale puts the largest element at the type's own.
struct Scaled {
  at::Tensor values;
  at::Tensor scale;  ///< float, one element
};
Scaled scale_to_float8(const at::Tensor& tensor, at::ScalarType type);

/// How far a result is from its reference, both double: ‖result − reference‖ / ‖reference‖ and the largest difference.
struct Difference {
  double squares = 0, reference_squares = 0, max_abs = 0;
  bool is_finite = true;

  void add(const at::Tensor& result, const at::Tensor& reference);
  double rel_l2() const;
};

}  // namespace scoville::torch_probe
