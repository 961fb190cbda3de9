#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace scoville::numerics {

/// A tensor as it lies in a safetensors file: its values in little-endian, row-major order. Owns nothing.
struct TensorView {
  std::string_view dtype;  ///< "F64", "F32", "F16", "BF16", "F8_E4M3", "F8_E5M2", "I64" … "U8", "BOOL"
  std::vector<std::int64_t> shape;
  std::string_view bytes;

  std::size_t elements() const;
};

/// The values as doubles; each dtype but 64-bit integers above 2^53 fits exactly. Errors: an unknown dtype, or bytes
/// that do not fit the shape.
Result<std::vector<double>> values_of(const TensorView& tensor);
/// Of an integer tensor.
Result<std::vector<std::int64_t>> integers_of(const TensorView& tensor);

// Single values, by the IEEE 754 layouts and the OCP 8-bit ones (e4m3: no infinity, S.1111.111 is NaN).
double from_half(std::uint16_t bits);
double from_bf16(std::uint16_t bits);
double from_e4m3(std::uint8_t bits);
double from_e5m2(std::uint8_t bits);

/// "2 x 16 x 64".
std::string shape_words(std::span<const std::int64_t> shape);

}  // namespace scoville::numerics
