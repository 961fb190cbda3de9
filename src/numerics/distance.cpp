#include "numerics/distance.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/check.hpp"

namespace scoville::numerics {
namespace {

/// Counts what is not finite. True: the pair takes part in the sums.
bool count_finite(Distance& out, double r, double t) {
  out.nan_reference += std::isnan(r);
  out.nan_test += std::isnan(t);
  out.infinite_reference += std::isinf(r);
  out.infinite_test += std::isinf(t);
  if (std::isfinite(r) && std::isfinite(t)) return true;
  const bool is_same = r == t || (std::isnan(r) && std::isnan(t));
  out.unlike += !is_same;
  out.not_equal += !is_same;
  return false;
}

struct Sums {
  double rr = 0, tt = 0, rt = 0, dd = 0;
  std::size_t finite = 0;
};

Sums add_up(Distance& out, std::span<const double> reference, std::span<const double> test, Closeness close) {
  Sums sums;
  std::size_t outside = 0;
  out.least_relative = 0;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    const double r = reference[i], t = test[i];
    if (!count_finite(out, r, t)) continue;
    const double d = std::abs(t - r);
    ++sums.finite;
    sums.rr += r * r;
    sums.tt += t * t;
    sums.rt += r * t;
    sums.dd += d * d;
    out.not_equal += d != 0;
    out.max_abs = std::max(out.max_abs, d);
    const double beyond = d - close.relative * std::abs(r);
    outside += beyond > close.absolute;
    out.least_absolute = std::max(out.least_absolute, beyond);
    if (d == 0) continue;
    if (r == 0) out.least_relative.reset();
    if (out.least_relative) out.least_relative = std::max(*out.least_relative, d / std::abs(r));
  }
  out.outside = out.elements ? static_cast<double>(outside + out.unlike) / static_cast<double>(out.elements) : 0;
  return sums;
}

double largest_scaled(std::span<const double> reference, std::span<const double> test, double floor) {
  double largest = 0;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    const double d = std::abs(test[i] - reference[i]);
    if (std::isfinite(d)) largest = std::max(largest, d / std::max(std::abs(reference[i]), floor));
  }
  return largest;
}

/// Floats in their order as whole numbers: neighbours differ by one.
std::int64_t place_of(double value) {
  const auto bits = std::bit_cast<std::int32_t>(static_cast<float>(value));
  return bits >= 0 ? bits : static_cast<std::int64_t>(INT32_MIN) - bits;
}

}  // namespace

Distance distance(std::span<const double> reference, std::span<const double> test, Closeness closeness) {
  SCOVILLE_CHECK(reference.size() == test.size(), "as many elements on both sides");
  Distance out;
  out.elements = reference.size();
  const Sums sums = add_up(out, reference, test, closeness);
  if (sums.rr > 0) {
    const double rms = std::sqrt(sums.rr / static_cast<double>(sums.finite));
    out.rel_l2 = std::sqrt(sums.dd / sums.rr);
    out.max_to_rms = out.max_abs / rms;
    out.max_scaled = largest_scaled(reference, test, rms);
    out.gain = sums.rt / sums.rr;
    if (sums.tt > 0) out.cosine = std::min(1.0, sums.rt / std::sqrt(sums.rr) / std::sqrt(sums.tt));
  } else if (sums.dd == 0) {
    out.rel_l2 = out.max_to_rms = out.max_scaled = 0;
  }
  return out;
}

std::uint64_t largest_ulp(std::span<const double> reference, std::span<const double> test) {
  SCOVILLE_CHECK(reference.size() == test.size(), "as many elements on both sides");
  std::uint64_t largest = 0;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    if (!std::isfinite(reference[i]) || !std::isfinite(test[i])) continue;
    const std::int64_t apart = place_of(reference[i]) - place_of(test[i]);
    largest = std::max(largest, static_cast<std::uint64_t>(std::abs(apart)));
  }
  return largest;
}

}  // namespace scoville::numerics
