#include "numerics/signature.hpp"

#include <array>
#include <bit>
#include <cmath>

namespace scoville::numerics {
namespace {

struct Band {
  double up_to;  ///< relative L2
  Look look;
};
// Geometric means: fp32 3e-7 and tf32 2.9e-4; fp16 3.6e-4 and bf16 against equal rounded inputs 1.7e-3; bf16 2.9e-3 and
// int8 weights 0.8e-2; int8 1.15e-2 and e4m3 3.7e-2; e4m3 and e5m2 7.5e-2; e5m2 and int4 0.117. Above 0.2: none.
constexpr std::array kBands{Band{1e-12, Look::fp64},      Band{1e-5, Look::fp32},   Band{8e-4, Look::tf32_or_fp16},
                            Band{4.8e-3, Look::bf16},     Band{2.1e-2, Look::int8}, Band{5.3e-2, Look::fp8_e4m3},
                            Band{9.4e-2, Look::fp8_e5m2}, Band{0.2, Look::int4}};

constexpr std::array<std::string_view, 14> kNames{
    "none",     "fp64", "fp32",       "tf32_or_fp16", "bf16",       "int8",  "fp8_e4m3",
    "fp8_e5m2", "int4", "systematic", "few_elements", "not_finite", "wrong", "unknown"};

constexpr double kLeaning = 0.25;
constexpr std::size_t kEnoughElements = 64;  // below, one element is a large share of all

/// Rounding to nearest is as often up as down: of n independent errors a share of 1/√n leans with the values. Those of
/// a norm are one for each token, so that of two dozen tokens a tenth may.
bool is_systematic(const Distance& d) {
  if (d.elements < kEnoughElements || !d.gain) return false;
  return std::abs(*d.gain - 1) > kLeaning * *d.rel_l2;  // the cosine between error and reference
}

bool is_of_few(const Distance& d) {
  return d.elements >= kEnoughElements && d.max_scaled && *d.max_scaled > kFewElements * *d.rel_l2;
}

/// Whether rounding to `bits` of significand, exponents from `least` to `most`, changes nothing.
bool holds(double value, int bits, int least, int most) {
  if (value == 0 || !std::isfinite(value)) return true;
  int exponent = 0;
  std::frexp(value, &exponent);  // |value| = m · 2^exponent, ½ ≤ m < 1
  if (exponent - 1 > most) return false;
  const int lowest = std::max(exponent - 1, least) - (bits - 1);  // exponent of the last bit
  const double scaled = std::ldexp(value, -lowest);
  return scaled == std::trunc(scaled);
}

}  // namespace

std::string_view name_of(Look look) { return kNames[static_cast<std::size_t>(look)]; }

bool is_precision(Look look) { return look <= Look::int4; }

Look look_of(const Distance& distance) {
  if (distance.unlike > 0) return Look::not_finite;
  if (distance.is_bitwise()) return Look::none;
  if (!distance.rel_l2) return Look::unknown;
  const bool is_tiny = *distance.rel_l2 <= kBands[1].up_to;
  if (!is_tiny && is_of_few(distance)) return Look::few_elements;
  if (!is_tiny && is_systematic(distance)) return Look::systematic;
  for (const Band& band : kBands) {
    if (*distance.rel_l2 <= band.up_to) return band.look;
  }
  return Look::wrong;
}

std::optional<Precision> format_of(std::span<const double> values) {
  bool fits_bf16 = true, fits_fp16 = true, fits_fp32 = true, has_value = false;
  for (const double each : values) {
    has_value = has_value || (each != 0 && std::isfinite(each));
    fits_bf16 = fits_bf16 && holds(each, 8, -126, 127);
    fits_fp16 = fits_fp16 && holds(each, 11, -14, 15);
    fits_fp32 = fits_fp32 && holds(each, 24, -126, 127);
    if (!fits_fp32) return std::nullopt;
  }
  if (!has_value) return std::nullopt;
  return fits_bf16 ? Precision::bf16 : fits_fp16 ? Precision::fp16 : Precision::fp32;
}

}  // namespace scoville::numerics
