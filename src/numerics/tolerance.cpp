#include "numerics/tolerance.hpp"

#include <algorithm>

namespace scoville::numerics {

using enum Precision;

const std::array<Tolerance, kPrecisions> kTolerances{{
    {fp64, "fp64", Closeness{1e-7, 1e-7}, {}, {}, 1e-12, {}},
    {fp32, "fp32", Closeness{1.3e-6, 1e-5}, 3e-7, 3e-6, 1e-5, 0.999999},
    {tf32, "tf32", {}, 2.9e-4, 1.3e-3, 1e-3, 0.99999},
    {fp16, "fp16", Closeness{1e-3, 1e-5}, 3.6e-4, 2e-3, 2e-3, 0.9999},
    {bf16, "bf16", Closeness{1.6e-2, 1e-5}, 2.9e-3, 1.7e-2, 1e-2, 0.9999},
    {int8_weight, "int8_weight", {}, 8e-3, 4e-2, 2e-2, 0.9995},
    {int8, "int8", {}, 1.15e-2, 6e-2, 3e-2, 0.999},
    {fp8_e4m3, "fp8_e4m3", {}, 3.7e-2, 0.19, 6e-2, 0.998},
    {fp8_e5m2, "fp8_e5m2", {}, 7.5e-2, 0.35, 0.12, 0.995},
    {int4_weight, "int4_weight", {}, 0.117, 0.55, 0.15, 0.99},
}};

const Tolerance& tolerance_of(Precision precision) { return kTolerances[static_cast<std::size_t>(precision)]; }

std::string_view name_of(Precision precision) { return tolerance_of(precision).name; }

std::optional<Precision> precision_named(std::string_view name) {
  for (const Tolerance& each : kTolerances) {
    if (each.name == name) return each.precision;
  }
  return std::nullopt;
}

Precision lower_of(Precision a, Precision b) { return std::max(a, b); }

bool passes(const Distance& distance, const Tolerance& tolerance) {
  if (distance.unlike > 0 || !distance.rel_l2 || *distance.rel_l2 > tolerance.rel_l2) return false;
  if (tolerance.cosine && distance.cosine && *distance.cosine < *tolerance.cosine) return false;
  return !distance.max_scaled || *distance.max_scaled <= kFewElements * tolerance.rel_l2;
}

EndToEnd end_to_end(Precision precision) {
  if (precision <= bf16) return {0.99, 1e-3, 0.001};
  if (precision <= fp8_e5m2) return {0.97, 1e-2, 0.01};
  return {0.92, 0.1, 0.05};
}

}  // namespace scoville::numerics
