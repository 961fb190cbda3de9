#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "numerics/distance.hpp"

namespace scoville::numerics {

/// A way of computing, by how exact it is; finer ones first.
enum class Precision { fp64, fp32, tf32, fp16, bf16, int8_weight, int8, fp8_e4m3, fp8_e5m2, int4_weight };
inline constexpr std::size_t kPrecisions = 10;

/// What the error of a matrix product looks like in a precision, and what of it is let pass.
struct Tolerance {
  Precision precision;
  std::string_view name;  ///< "bf16", as in flags and JSON
  /// Rule of torch's assert_close for results of this dtype. Empty: torch has none.
  std::optional<Closeness> torch_default;
  /// Relative L2 measured on products of Gaussian matrices, K from 256 to 16384. Empty: not measured.
  std::optional<double> gemm_rel_l2;
  std::optional<double> gemm_max_to_rms;
  // What passes.
  double rel_l2;
  std::optional<double> cosine;
};

/// docs/formats/baseline.md, "Tolerances", where they come from.
extern const std::array<Tolerance, kPrecisions> kTolerances;
const Tolerance& tolerance_of(Precision precision);

std::string_view name_of(Precision precision);
std::optional<Precision> precision_named(std::string_view name);
/// The coarser of the two: what bounds their difference.
Precision lower_of(Precision a, Precision b);

/// A maximum of scaled errors (Distance::max_scaled) above so many times the relative L2 that passes is a fault of a
/// few elements, however good the rest: rounding errors of a product reach 4 to 10 times their relative L2.
inline constexpr double kFewElements = 20;

/// Whether the distance lies within: relative L2, cosine, the largest scaled error, nothing unlike. An unknown relative
/// L2 (a reference of zeros that differs) does not.
bool passes(const Distance& distance, const Tolerance& tolerance);

/// What is let pass between the answers of two whole models.
struct EndToEnd {
  double top1, mean_kl, perplexity_share;
};
EndToEnd end_to_end(Precision precision);

}  // namespace scoville::numerics
