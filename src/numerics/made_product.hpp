#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "base/rng.hpp"

namespace scoville::numerics {

/// For tests: a product of Gaussian matrices in double precision, its inputs and its result rounded by `rounded`.
inline std::vector<double> made_product(const std::function<double(double)>& rounded, std::size_t m = 24,
                                        std::size_t k = 256, std::size_t n = 24) {
  Rng random(7);
  std::vector<double> a(m * k), b(k * n), c(m * n);
  for (double& each : a) each = rounded(random.normal());
  for (double& each : b) each = rounded(random.normal());
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::size_t x = 0; x < k; ++x) sum += a[i * k + x] * b[x * n + j];
      c[i * n + j] = rounded(sum);
    }
  }
  return c;
}

/// To nearest, with so many bits of significand, whatever the exponent.
inline double to_bits(double value, int bits) {
  if (value == 0) return 0;
  int exponent = 0;
  const double significand = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(significand, bits)), exponent - bits);
}

inline double exact(double value) { return value; }
inline double as_fp32(double value) { return static_cast<float>(value); }
inline double as_bf16(double value) { return to_bits(value, 8); }
inline double as_fp16(double value) { return to_bits(value, 11); }
inline double as_e4m3(double value) { return to_bits(value, 4); }
inline double as_e5m2(double value) { return to_bits(value, 3); }

}  // namespace scoville::numerics
