#include "stats/trend.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "base/rng.hpp"

namespace scoville::stats {

TEST_CASE("T-MK-1: a rise is found and measured") {
  const std::vector<double> x{20, 20.1, 20.05, 20.2, 20.3, 20.25, 20.4, 20.5, 20.45, 20.6};
  const auto test = mann_kendall(x);
  REQUIRE(test.has_value());
  CHECK(test->s == 39);
  CHECK(test->variance == 125);
  CHECK(test->z == doctest::Approx(3.39882).epsilon(2e-6));
  CHECK(test->p / 0.000676764 == doctest::Approx(1).epsilon(1e-6));
  CHECK(theil_sen_slope(x).value() == doctest::Approx(0.0666667).epsilon(1e-6));
}

TEST_CASE("equal values take from the variance, not from the sum") {
  // By the double loop over all pairs, in Python.
  const std::vector<double> x{1, 2, 2, 3, 1, 4, 4, 4, 5, 0};
  const auto test = mann_kendall(x);
  REQUIRE(test.has_value());
  CHECK(test->s == 16);
  CHECK(test->variance == doctest::Approx(119.3333333333).epsilon(1e-12));
  CHECK(test->z == doctest::Approx(1.3731259448).epsilon(1e-10));
  CHECK(test->p == doctest::Approx(0.1697131967).epsilon(1e-10));
}

TEST_CASE("four values in order are not yet a trend at 5 %, five are") {
  const std::vector<double> x{1, 2, 3, 4, 5};
  CHECK(mann_kendall(std::span(x).first(4))->p > 0.05);
  CHECK(mann_kendall(x)->p < 0.05);
}

TEST_CASE("counting by merge sort agrees with the definition, and is quick for a hundred thousand values") {
  Rng rng(3);
  std::vector<double> x;
  for (int i = 0; i < 300; ++i) x.push_back(static_cast<double>(rng.below(50)) + i / 20);
  std::int64_t s = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = i + 1; j < x.size(); ++j) s += (x[j] > x[i]) - (x[j] < x[i]);
  }
  CHECK(mann_kendall(x)->s == s);
  std::vector<double> falling;
  for (int i = 100'000; i > 0; --i) falling.push_back(i);
  CHECK(mann_kendall(falling)->s == -std::int64_t{100'000} * 99'999 / 2);
}

TEST_CASE("one wild value does not move the slope") {
  // On the line 2 i but for one: of ten slopes seven or more stay 2 or close to it.
  CHECK(theil_sen_slope(std::vector<double>{0, 2, 4, 1000, 8, 10, 12}) == 2);
  CHECK(theil_sen_slope(std::vector<double>{1, 4}) == 3);
}

TEST_CASE("nothing to compare, or a value that is no number: null") {
  CHECK_FALSE(mann_kendall({}).has_value());
  CHECK_FALSE(mann_kendall(std::vector<double>{1, 2}).has_value());
  CHECK_FALSE(mann_kendall(std::vector<double>{2, 2, 2}).has_value());
  CHECK_FALSE(mann_kendall(std::vector<double>{1, NAN, 2}).has_value());
  CHECK_FALSE(theil_sen_slope({}).has_value());
  CHECK_FALSE(theil_sen_slope(std::vector<double>{1}).has_value());
  CHECK_FALSE(theil_sen_slope(std::vector<double>{1, INFINITY}).has_value());
  CHECK_FALSE(theil_sen_slope(std::vector<double>(kTheilSenMost + 1, 1.0)).has_value());
}

}  // namespace scoville::stats
