#include "stats/attainment.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace scoville::stats {
namespace {

void check_interval(std::uint64_t successes, std::uint64_t trials, double lower, double upper) {
  const auto interval = attainment_interval(successes, trials);
  REQUIRE(interval.has_value());
  CHECK(interval->lower == doctest::Approx(lower).epsilon(5e-7));
  CHECK(interval->upper == doctest::Approx(upper).epsilon(5e-7));
}

}  // namespace

TEST_CASE("T-CP-1: 96 % of 200 requests does not show that at least 95 % keep their limits") {
  check_interval(192, 200, 0.922708, 0.982575);
  check_interval(960, 1000, 0.945927, 0.971272);
  check_interval(7, 9, 0.399906426, 0.971855027);  // Python, mpmath: bisection of the incomplete beta function
  CHECK(attainment_at_least(192, 200).value() == doctest::Approx(0.928986).epsilon(5e-7));
  CHECK(attainment_at_least(960, 1000).value() == doctest::Approx(0.948247).epsilon(5e-7));
  CHECK(attainment_at_least(4800, 5000).value() == doctest::Approx(0.955138).epsilon(5e-7));
}

TEST_CASE("all or none still leaves doubt on one side") {
  const double tenth_root = std::pow(0.025, 0.1);  // the p with p^10 = α/2
  check_interval(10, 10, tenth_root, 1);
  check_interval(0, 10, 0, 1 - tenth_root);
  CHECK(attainment_interval(10, 10)->upper == 1);
  CHECK(attainment_interval(0, 10)->lower == 0);
  CHECK(attainment_at_least(0, 10) == 0);
}

TEST_CASE("a share of ten million requests has an interval") {
  // Normal approximation: 0.99 ± 1.96 √(0.99 · 0.01 / 10^7) = 0.99 ± 6.167e-5.
  const auto interval = attainment_interval(9'900'000, 10'000'000);
  REQUIRE(interval.has_value());
  CHECK(0.99 - interval->lower == doctest::Approx(6.167e-5).epsilon(0.01));
  CHECK(interval->upper - 0.99 == doctest::Approx(6.167e-5).epsilon(0.01));
}

TEST_CASE("no trials, more successes than trials, no level: null") {
  CHECK_FALSE(attainment_interval(0, 0).has_value());
  CHECK_FALSE(attainment_interval(3, 2).has_value());
  CHECK_FALSE(attainment_interval(1, 2, 1).has_value());
  CHECK_FALSE(attainment_at_least(1, 2, 0).has_value());
  CHECK_FALSE(attainment_at_least(1, 2, std::nan("")).has_value());
}

TEST_CASE("trials worth a fraction: whole ones as before, none missed α^(1/n)") {
  CHECK(attainment_at_least_of(192, 200).value() == doctest::Approx(0.928986).epsilon(1e-6));
  CHECK(attainment_at_least_of(100, 100).value() == doctest::Approx(0.9704870).epsilon(1e-6));    // 0.05^(1/100)
  CHECK(attainment_at_least_of(29.5, 29.5).value() == doctest::Approx(0.9034360).epsilon(1e-6));  // 0.05^(1/29.5)
  CHECK(attainment_at_most_of(8, 200).value() == doctest::Approx(1 - 0.928986).epsilon(1e-5));
  CHECK(attainment_at_least_of(0, 10).value() == 0);
  CHECK_FALSE(attainment_at_least_of(11, 10).has_value());
  CHECK_FALSE(attainment_at_most_of(1, 0).has_value());
}

}  // namespace scoville::stats
