#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "numerics/distance.hpp"
#include "numerics/tolerance.hpp"

namespace scoville::numerics {

/// What an error looks like.
enum class Look {
  none,  ///< no difference
  fp64,
  fp32,
  tf32_or_fp16,  ///< their mantissas are equally long: sizes of error do not tell them apart
  bf16,
  int8,
  fp8_e4m3,
  fp8_e5m2,
  int4,
  systematic,    ///< the error leans with the values, as by a factor on some term: rounding does not
  few_elements,  ///< most are right, a few are far off
  not_finite,    ///< NaN or infinity on one side only
  wrong,         ///< as large as no precision makes it
  unknown,       ///< nothing to measure it by
};
std::string_view name_of(Look look);
/// Whether a precision makes such errors; the others are faults.
bool is_precision(Look look);

/// Which precision an error looks like: by the relative L2, whose bands meet at the geometric means of what products in
/// two neighbouring precisions were measured to have; first by its shape, as rounding is spread over all elements and
/// keeps their scale. Whole layers add and cancel errors: within a band's width of its edge the name is a guess.
Look look_of(const Distance& distance);

/// The narrowest of bf16, fp16 and fp32 that holds every value exactly: the format in which a tensor was last rounded,
/// whatever it is stored in. Empty: none, or no value says anything (all zero).
std::optional<Precision> format_of(std::span<const double> values);

}  // namespace scoville::numerics
