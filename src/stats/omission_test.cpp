#include "stats/omission.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "stats/quantile.hpp"
#include "stats/summary.hpp"

namespace scoville::stats {

TEST_CASE("T-CO-1: one stall of a second counts for all the requests that were due in it") {
  std::vector<double> measured(99, 5.0);
  measured.push_back(1000);
  CHECK(nearest_rank_quantile(measured, 0.99) == 5);
  CHECK(mean(measured).value() == doctest::Approx(14.95));
  const auto corrected = correct_omission(measured, 10);
  REQUIRE(corrected.has_value());
  CHECK(corrected->size() == 199);
  CHECK(nearest_rank_quantile(*corrected, 0.99) == 990);
  CHECK(mean(*corrected).value() == doctest::Approx(256.256281).epsilon(1e-8));
}

TEST_CASE("company comes down to the interval itself, and none to values below twice of it") {
  CHECK(correct_omission(std::vector{35.0}, 10) == std::vector{15.0, 25.0, 35.0});
  CHECK(correct_omission(std::vector{30.0}, 10) == std::vector{10.0, 20.0, 30.0});
  CHECK(correct_omission(std::vector{19.9, 5.0}, 10) == std::vector{5.0, 19.9});
  CHECK(correct_omission(std::vector{0.3}, 0.1)->size() == 3);  // 0.3 / 0.1 is 2.9999999999999996
}

TEST_CASE("no values need no correction") { CHECK(correct_omission({}, 10)->empty()); }

TEST_CASE("an interval or a value that makes no sense, or more than memory should hold: null") {
  for (const double interval : {0.0, -1.0, double{NAN}, double{INFINITY}}) {
    CHECK_FALSE(correct_omission(std::vector{5.0}, interval).has_value());
  }
  CHECK_FALSE(correct_omission(std::vector{-5.0}, 10).has_value());
  CHECK_FALSE(correct_omission(std::vector<double>{NAN}, 10).has_value());
  CHECK_FALSE(correct_omission(std::vector{3.6e12}, 1).has_value());  // an hour, counted in nanoseconds
}

}  // namespace scoville::stats
