#include "numerics/distance.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace scoville::numerics {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST_CASE("figures of two short vectors, by hand") {
  // r = (3, 4, 0, 0), t = (3, 4, 0, 5): ‖r‖ = 5, ‖t − r‖ = 5, ‖t‖ = √50, ⟨r,t⟩ = 25, rms(r) = 2.5
  const std::vector<double> r{3, 4, 0, 0}, t{3, 4, 0, 5};
  const Distance d = distance(r, t, {0.1, 1});
  CHECK(d.max_abs == 5);
  CHECK(*d.rel_l2 == doctest::Approx(1));
  CHECK(*d.cosine == doctest::Approx(25 / (5 * std::sqrt(50))));
  CHECK(*d.gain == doctest::Approx(1));
  CHECK(*d.max_to_rms == doctest::Approx(2));
  CHECK(*d.max_scaled == doctest::Approx(2));
  CHECK(d.outside == doctest::Approx(0.25));
  CHECK(d.not_equal == 1);
  CHECK_FALSE(d.least_relative);  // no relative tolerance lets 5 pass for 0
  CHECK(d.least_absolute == doctest::Approx(5));
}

TEST_CASE("the smallest tolerances that pass are those at which nothing is outside") {
  const std::vector<double> r{1, 10, -100}, t{1.1, 10.5, -101};
  const Distance d = distance(r, t, {0.01, 0});
  CHECK(*d.least_relative == doctest::Approx(0.1));  // 0.1 of 1; 0.05 of 10; 0.01 of 100
  CHECK(d.least_absolute == doctest::Approx(0.4));   // 0.5 − 0.01 · 10
  CHECK(distance(r, t, {0.01, d.least_absolute}).outside == 0);
  CHECK(distance(r, t, {0.01, d.least_absolute * 0.99}).outside == doctest::Approx(1.0 / 3));
}

TEST_CASE("a divisor of zero leaves a figure unknown, and zeros against zeros are no difference") {
  const std::vector<double> zeros{0, 0}, ones{1, 1};
  CHECK_FALSE(distance(zeros, ones, {}).rel_l2);
  CHECK_FALSE(distance(zeros, ones, {}).cosine);
  CHECK(*distance(zeros, zeros, {}).rel_l2 == 0);
  CHECK(distance(zeros, zeros, {}).is_bitwise());
}

TEST_CASE("NaN and infinity are counted, left out of the sums, and unlike where the other side has something else") {
  const std::vector<double> r{1, kNan, kInfinity, 2, 5}, t{1, kNan, kInfinity, kNan, -kInfinity};
  const Distance d = distance(r, t, {});
  CHECK(d.nan_reference == 1);
  CHECK(d.nan_test == 2);
  CHECK(d.infinite_reference == 1);
  CHECK(d.infinite_test == 2);
  CHECK(d.unlike == 2);
  CHECK(*d.rel_l2 == 0);
  CHECK_FALSE(d.is_bitwise());
}

TEST_CASE("a factor on all values shows as gain, which the cosine does not see") {
  const std::vector<double> r{1, -2, 3}, t{1.02, -2.04, 3.06};
  const Distance d = distance(r, t, {});
  CHECK(*d.gain == doctest::Approx(1.02));
  CHECK(*d.cosine == doctest::Approx(1));
  CHECK(*d.rel_l2 == doctest::Approx(0.02));
}

TEST_CASE("units in the last place count the floats between, across zero too") {
  const double one = 1, next = std::nextafter(1.0F, 2.0F), tiny = std::numeric_limits<float>::denorm_min();
  CHECK(largest_ulp(std::vector{one, 2.0}, std::vector{next, 2.0}) == 1);
  CHECK(largest_ulp(std::vector{1.0}, std::vector{2.0}) == 1U << 23U);  // a binade has 2^23 floats
  CHECK(largest_ulp(std::vector{-tiny}, std::vector{tiny}) == 2);
  CHECK(largest_ulp(std::vector{-0.0}, std::vector{0.0}) == 0);
  CHECK(largest_ulp(std::vector{kNan}, std::vector{1.0}) == 0);
}

}  // namespace
}  // namespace scoville::numerics
