#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "probe/points.hpp"

namespace scoville::probe {

// What follows from times, sizes and differences: each figure is defined here once. docs/method.md, "Figures of a
// device".

/// Bytes that one value takes: 4 of fp32 and tf32. Empty for a type that we do not know.
std::optional<double> bytes_of(std::string_view dtype);
/// Of one value of a product's result: what multiplies 8 bits gives 16 (fp8) or 32 (int8).
std::optional<double> result_bytes_of(std::string_view dtype);

/// 2 · batch · m · n · k: a multiplication and an addition are two.
double operations(const GemmPoint& point);
/// Ideal traffic: both inputs read once, the result written once. Empty for an unknown type.
std::optional<double> ideal_bytes(const GemmPoint& point);
/// Operations per byte of ideal traffic.
std::optional<double> intensity(const GemmPoint& point);
/// Operations per second at the median time; empty without one, or where the result was wrong.
std::optional<double> rate(const GemmPoint& point);

/// 4 · batch · heads · query_len · kv_len · head_dim, both products; half of it where causal and as long as the keys
/// (what lies above the diagonal is not needed).
double operations(const AttentionPoint& point);
std::optional<double> rate(const AttentionPoint& point);

/// Bytes per second at the median, by STREAM's count: without the lines that a store may read first.
std::optional<double> rate(const BandwidthPoint& point);
std::optional<double> rate(const CopyPoint& point);

/// Which type the error of a product looks like ("fp64", "fp32", "tf32", "fp16", "bf16", "int8", "fp8_e4m3",
/// "fp8_e5m2", "int4"), by the bands between what each was measured to give. Of two that look alike (tf32 and fp16
/// both keep 10 bits) the asked one. Empty beyond all of them: that is a wrong result.
std::optional<std::string> precision_like(double rel_l2, std::string_view asked);

enum class Precise { unknown, as_asked, lower, higher, wrong };
std::string_view name_of(Precise precise);
/// Whether a product was computed in what was asked for. A result in a *better* one is `higher`: it may be slower, too.
Precise precise(const GemmPoint& point);

/// The best of all good points of one type: the largest product rate that was measured ("MAMF").
struct Best {
  std::string dtype;
  double rate = 0;  ///< operations per second
  GemmPoint at;
};
std::vector<Best> bests(const std::vector<GemmPoint>& points);

/// The best bandwidth of arrays of the largest size that was measured. Empty if there is none.
std::optional<double> memory_rate(const std::vector<BandwidthPoint>& points);

}  // namespace scoville::probe
