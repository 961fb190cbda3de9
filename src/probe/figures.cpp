#include "probe/figures.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace scoville::probe {
namespace {

constexpr double kNano = 1e-9;

std::optional<double> over_time(double amount, const Point& point) {
  if (!point.is_good() || !(amount > 0)) return std::nullopt;
  return amount / (point.hot->median * kNano);
}

/// Relative L2 errors of products of Gaussian inputs, against double precision of the unrounded inputs, as measured;
/// they do not depend on K. A band ends half way, on a logarithmic scale, to the next signature.
struct Signature {
  std::string_view name;
  double below;
};
constexpr std::array kSignatures{
    Signature{"fp64", 1e-10},       // ~1e-16
    Signature{"fp32", 9.3e-6},      // 3e-7
    Signature{"tf32", 1.02e-3},     // 2.9e-4; fp16 3.6e-4
    Signature{"bf16", 5.4e-3},      // 2.9e-3, of a bf16 result; 2.3e-3 where the result is wider
    Signature{"int8", 2.2e-2},      // 0.7e-2 to 1.3e-2, scales by row and column
    Signature{"fp8_e4m3", 5.3e-2},  // 3.7e-2
    Signature{"fp8_e5m2", 9.4e-2},  // 7.5e-2
    Signature{"int4", 0.2},         // 0.117, groups of 128
};

/// The place of a type in that order: the larger, the coarser. tf32 and fp16 share one.
std::optional<std::size_t> rank_of(std::string_view dtype) {
  const std::string_view known = dtype == "fp16" ? "tf32" : dtype;
  for (std::size_t i = 0; i < kSignatures.size(); ++i) {
    if (kSignatures[i].name == known) return i;
  }
  return std::nullopt;
}

}  // namespace

std::optional<double> bytes_of(std::string_view dtype) {
  if (dtype == "fp64") return 8;
  if (dtype == "fp32" || dtype == "tf32") return 4;
  if (dtype == "fp16" || dtype == "bf16") return 2;
  if (dtype == "int8" || dtype.starts_with("fp8")) return 1;
  return std::nullopt;
}

std::optional<double> result_bytes_of(std::string_view dtype) {
  if (dtype == "int8") return 4;
  if (dtype.starts_with("fp8")) return 2;
  return bytes_of(dtype);
}

double operations(const GemmPoint& point) { return 2 * point.batch * point.m * point.n * point.k; }

std::optional<double> ideal_bytes(const GemmPoint& point) {
  const auto in = bytes_of(point.dtype), out = result_bytes_of(point.dtype);
  if (!in || !out) return std::nullopt;
  return point.batch * (*in * (point.m * point.k + point.k * point.n) + *out * point.m * point.n);
}

std::optional<double> intensity(const GemmPoint& point) {
  const std::optional<double> bytes = ideal_bytes(point);
  if (!bytes || !(*bytes > 0)) return std::nullopt;
  return operations(point) / *bytes;
}

std::optional<double> rate(const GemmPoint& point) { return over_time(operations(point), point); }

double operations(const AttentionPoint& point) {
  const double all = 4 * point.batch * point.heads * point.query_len * point.kv_len * point.head_dim;
  return point.is_causal && point.query_len == point.kv_len ? all / 2 : all;
}
std::optional<double> rate(const AttentionPoint& point) { return over_time(operations(point), point); }
std::optional<double> rate(const BandwidthPoint& point) { return over_time(point.moved_bytes, point); }
std::optional<double> rate(const CopyPoint& point) { return over_time(point.bytes, point); }

std::optional<std::string> precision_like(double rel_l2, std::string_view asked) {
  if (!(rel_l2 >= 0)) return std::nullopt;
  for (const Signature& each : kSignatures) {
    if (rel_l2 >= each.below) continue;
    return std::string(each.name == "tf32" && asked == "fp16" ? asked : each.name);
  }
  return std::nullopt;
}

std::string_view name_of(Precise precise) {
  constexpr std::array<std::string_view, 5> kNames{"unknown", "as_asked", "lower", "higher", "wrong"};
  return kNames[static_cast<std::size_t>(precise)];
}

Precise precise(const GemmPoint& point) {
  if (point.fault && point.fault->reason == Reason::wrong_result) return Precise::wrong;
  if (!point.rel_l2) return Precise::unknown;
  const std::optional<std::string> like = precision_like(*point.rel_l2, point.dtype);
  if (!like) return Precise::wrong;
  const auto asked = rank_of(point.dtype), got = rank_of(*like);
  if (!asked) return Precise::unknown;
  return *got == *asked ? Precise::as_asked : *got > *asked ? Precise::lower : Precise::higher;
}

std::vector<Best> bests(const std::vector<GemmPoint>& points) {
  std::vector<Best> all;
  for (const GemmPoint& point : points) {
    const std::optional<double> speed = rate(point);
    if (!speed || precise(point) == Precise::wrong) continue;
    const auto found = std::ranges::find(all, point.dtype, &Best::dtype);
    if (found == all.end()) {
      all.push_back({point.dtype, *speed, point});
    } else if (*speed > found->rate) {
      *found = {point.dtype, *speed, point};
    }
  }
  return all;
}

std::optional<double> memory_rate(const std::vector<BandwidthPoint>& points) {
  double largest = 0;
  for (const BandwidthPoint& each : points) {
    if (rate(each)) largest = std::max(largest, each.array_bytes);
  }
  std::optional<double> best;
  for (const BandwidthPoint& each : points) {
    const std::optional<double> speed = rate(each);
    if (speed && each.array_bytes == largest) best = std::max(best.value_or(0), *speed);
  }
  return best;
}

}  // namespace scoville::probe
