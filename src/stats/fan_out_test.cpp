#include "stats/fan_out.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace scoville::stats {

TEST_CASE("ten calls must each be ten times as good as their request") {
  CHECK(share_each_call_needs(0.99, 10).value() == doctest::Approx(0.998995).epsilon(5e-7));
  CHECK(share_each_call_needs(0.99, 1) == 0.99);
}

TEST_CASE("a rare tail of one call is a common tail of many") {
  CHECK(share_that_meets_a_tail(0.99, 10).value() == doctest::Approx(0.0956179).epsilon(5e-7));
  CHECK(share_that_meets_a_tail(0.99, 100).value() == doctest::Approx(0.633968).epsilon(5e-7));
  CHECK(share_that_meets_a_tail(1, 100) == 0);
  CHECK(share_that_meets_a_tail(0, 3) == 1);
}

TEST_CASE("no calls, or no share: null") {
  CHECK_FALSE(share_each_call_needs(0.99, 0).has_value());
  CHECK_FALSE(share_that_meets_a_tail(1.1, 2).has_value());
  CHECK_FALSE(share_that_meets_a_tail(NAN, 2).has_value());
}

}  // namespace scoville::stats
