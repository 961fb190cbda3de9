#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace scoville::numerics {

/// Rule by which an element counts as "outside": |test − reference| > absolute + relative · |reference|.
struct Closeness {
  double relative = 0, absolute = 0;
};

/// How far a tensor lies from its reference. Sums go over the elements that are finite on both sides.
///
/// A quotient whose divisor is 0 is empty, not 0: the relative L2 of anything against zeros is not known.
struct Distance {
  std::size_t elements = 0;
  std::size_t not_equal = 0;         ///< NaN equals NaN
  double max_abs = 0;                ///< largest |t − r|
  std::optional<double> rel_l2;      ///< ‖t − r‖ / ‖r‖; 0 where both are zero
  std::optional<double> cosine;      ///< empty where a side is zero
  std::optional<double> max_to_rms;  ///< max_abs / rms(r)
  std::optional<double> max_scaled;  ///< largest |t − r| / max(|r|, rms(r)): a maximum of relative errors with a floor
  std::optional<double> gain;        ///< ⟨t, r⟩ / ⟨r, r⟩: 1 where errors are no more than noise
  double outside = 0;                ///< share of elements outside of the Closeness
  double least_absolute = 0;         ///< smallest absolute tolerance, its relative one kept, that would take all
  std::optional<double> least_relative;  ///< smallest relative tolerance without an absolute one; empty: none would
  std::size_t nan_reference = 0, nan_test = 0, infinite_reference = 0, infinite_test = 0;
  std::size_t unlike = 0;  ///< elements not finite on one side and another value on the other

  bool is_bitwise() const { return not_equal == 0; }
};

/// Precondition: as many elements on both sides.
Distance distance(std::span<const double> reference, std::span<const double> test, Closeness closeness);

/// Largest distance in units in the last place of fp32: how many floats lie between (0 between equals, −0 and +0 too).
/// Elements that are not finite are left out.
std::uint64_t largest_ulp(std::span<const double> reference, std::span<const double> test);

}  // namespace scoville::numerics
