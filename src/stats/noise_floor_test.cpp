#include "stats/noise_floor.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace scoville::stats {

TEST_CASE("T-AA-1: the floor of ten pairs of the same system") {
  const std::vector<double> ratios{1.0021, .9968, 1.0043, .9989, 1.0012, .9951, 1.0060, .9993, 1.0035, .9974};
  CHECK(noise_floor(ratios).value() == doctest::Approx(0.00551572).epsilon(1e-6));
}

TEST_CASE("which of two equals is A does not matter, and no difference is no floor") {
  std::vector<double> up(10, 1.25), down(10, 0.8);
  CHECK(noise_floor(up).value() == doctest::Approx(0.25));
  CHECK(noise_floor(down).value() == doctest::Approx(0.25));
  CHECK(noise_floor(std::vector<double>(10, 1.0)) == 0);
}

TEST_CASE("of twenty tests at 5 %, four differences say that the harness is broken, three do not") {
  CHECK(chance_of_false_calls(4, 20).value() == doctest::Approx(0.0159).epsilon(3e-3));
  CHECK(chance_of_false_calls(4, 20) < kBrokenHarness);
  CHECK(chance_of_false_calls(3, 20) > kBrokenHarness);
  CHECK(chance_of_false_calls(0, 20) == 1);
  CHECK(chance_of_false_calls(2, 2).value() == doctest::Approx(0.0025));
}

TEST_CASE("too few pairs, or no ratio: null") {
  CHECK_FALSE(noise_floor(std::vector<double>(9, 1.0)).has_value());
  std::vector<double> ratios(10, 1.0);
  ratios[3] = 0;
  CHECK_FALSE(noise_floor(ratios).has_value());
  CHECK_FALSE(chance_of_false_calls(0, 0).has_value());
  CHECK_FALSE(chance_of_false_calls(3, 2).has_value());
}

}  // namespace scoville::stats
