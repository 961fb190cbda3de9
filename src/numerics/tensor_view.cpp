#include "numerics/tensor_view.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace scoville::numerics {
namespace {

/// Sign, `exponent` bits with the usual bias, `mantissa` bits; the highest exponent means infinity and NaN.
double small_float(unsigned bits, int exponent, int mantissa) {
  const unsigned mantissa_mask = (1U << mantissa) - 1, exponent_mask = (1U << exponent) - 1;
  const double sign = bits >> (exponent + mantissa) & 1U ? -1 : 1;
  const unsigned e = bits >> mantissa & exponent_mask, m = bits & mantissa_mask;
  const int bias = (1 << (exponent - 1)) - 1;
  if (e == exponent_mask) {
    return m ? std::numeric_limits<double>::quiet_NaN() : sign * std::numeric_limits<double>::infinity();
  }
  if (e == 0) return sign * std::ldexp(m, 1 - bias - mantissa);
  return sign * std::ldexp(m | (1U << mantissa), static_cast<int>(e) - bias - mantissa);
}

template <class T>
T raw(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

template <class T>
double as_number(const char* at) {
  return static_cast<double>(raw<T>(at));
}

struct Kind {
  std::string_view name;
  std::size_t size;
  double (*decode)(const char*);
  bool is_integer;
};

constexpr std::array kKinds{
    Kind{"F64", 8, as_number<double>, false},
    Kind{"F32", 4, as_number<float>, false},
    Kind{"F16", 2, [](const char* at) { return from_half(raw<std::uint16_t>(at)); }, false},
    Kind{"BF16", 2, [](const char* at) { return from_bf16(raw<std::uint16_t>(at)); }, false},
    Kind{"F8_E4M3", 1, [](const char* at) { return from_e4m3(raw<std::uint8_t>(at)); }, false},
    Kind{"F8_E5M2", 1, [](const char* at) { return from_e5m2(raw<std::uint8_t>(at)); }, false},
    Kind{"I64", 8, as_number<std::int64_t>, true},
    Kind{"I32", 4, as_number<std::int32_t>, true},
    Kind{"I16", 2, as_number<std::int16_t>, true},
    Kind{"I8", 1, as_number<std::int8_t>, true},
    Kind{"U64", 8, as_number<std::uint64_t>, true},
    Kind{"U32", 4, as_number<std::uint32_t>, true},
    Kind{"U16", 2, as_number<std::uint16_t>, true},
    Kind{"U8", 1, as_number<std::uint8_t>, true},
    Kind{"BOOL", 1, as_number<std::uint8_t>, true},
};

const Kind* kind_of(std::string_view dtype) {
  for (const Kind& each : kKinds) {
    if (each.name == dtype) return &each;
  }
  return nullptr;
}

Result<const Kind*> fitting(const TensorView& tensor) {
  const Kind* const kind = kind_of(tensor.dtype);
  if (!kind) return Error{ErrorCode::unsupported, "dtype " + std::string(tensor.dtype) + " is not known"};
  if (tensor.bytes.size() != tensor.elements() * kind->size) {
    return Error{ErrorCode::invalid_argument, shape_words(tensor.shape) + " of " + std::string(tensor.dtype) + " in " +
                                                  std::to_string(tensor.bytes.size()) + " bytes"};
  }
  return kind;
}

}  // namespace

std::size_t TensorView::elements() const {
  std::size_t product = 1;
  for (const std::int64_t each : shape) product *= static_cast<std::size_t>(each);
  return product;
}

Result<std::vector<double>> values_of(const TensorView& tensor) {
  Result<const Kind*> kind = fitting(tensor);
  if (!kind) return kind.error();
  std::vector<double> out(tensor.elements());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = (*kind)->decode(tensor.bytes.data() + i * (*kind)->size);
  return out;
}

Result<std::vector<std::int64_t>> integers_of(const TensorView& tensor) {
  Result<const Kind*> kind = fitting(tensor);
  if (!kind) return kind.error();
  if (!(*kind)->is_integer)
    return Error{ErrorCode::invalid_argument, "expected whole numbers, not " + std::string(tensor.dtype)};
  std::vector<std::int64_t> out(tensor.elements());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const char* const at = tensor.bytes.data() + i * (*kind)->size;
    out[i] = tensor.dtype == "I64" ? raw<std::int64_t>(at) : static_cast<std::int64_t>((*kind)->decode(at));
  }
  return out;
}

double from_half(std::uint16_t bits) { return small_float(bits, 5, 10); }

double from_bf16(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

double from_e4m3(std::uint8_t bits) {
  const unsigned magnitude = bits & 0x7fU;
  if (magnitude == 0x7fU) return std::numeric_limits<double>::quiet_NaN();
  if (magnitude < 0x78U) return small_float(bits, 4, 3);
  return (bits & 0x80U ? -1 : 1) * std::ldexp(8 + (bits & 7U), 15 - 7 - 3);  // the highest exponent holds numbers too
}

double from_e5m2(std::uint8_t bits) { return small_float(bits, 5, 2); }

std::string shape_words(std::span<const std::int64_t> shape) {
  std::string out;
  for (const std::int64_t each : shape) out += (out.empty() ? "" : " x ") + std::to_string(each);
  return out.empty() ? "scalar" : out;
}

}  // namespace scoville::numerics
