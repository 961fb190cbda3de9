#include "stats/two_shares.hpp"

#include <doctest/doctest.h>

namespace scoville::stats {

// decision.md, section 8: one-sided 5 %, power 80 %.
TEST_CASE("requests an arm for the rises that a canary is to find") {
  CHECK(requests_per_arm(0.001, 0.002) == 18519);
  CHECK(requests_per_arm(0.001, 0.005) == 2311);
  CHECK(requests_per_arm(0.05, 0.06) == 6426);
  CHECK(requests_per_arm(0.005, 0.01) == 3681);
  CHECK_FALSE(requests_per_arm(0.002, 0.001).has_value());
  CHECK_FALSE(requests_per_arm(0.0, 0.001).has_value());
}

// With equal arms and margin 0 the likeliest common rate is the pooled one: z = 0.02 / sqrt(2·0.06·0.94/1000) =
// 1.883109, P(Z > z) = 0.0298428 (erfc).
TEST_CASE("without a margin the score test is the pooled two-proportion test") {
  CHECK(*worse_p({50, 1000}, {70, 1000}) == doctest::Approx(0.0298428).epsilon(1e-4));
  CHECK(*worse_p({60, 1000}, {60, 1000}) == doctest::Approx(0.5));
  CHECK(*worse_p({70, 1000}, {50, 1000}) == doctest::Approx(1 - 0.0298428).epsilon(1e-4));
}

// The closed form against a golden-section search of the likelihood under q = p - margin, by an independent program in
// Python: p = 0.1227700, z = -2.2369957; and p = 0.0069331, z = -1.7833900.
TEST_CASE("with a margin the variance is taken where the difference is the margin") {
  CHECK(*noninferior_p({20, 200}, {22, 250}, 0.05) == doctest::Approx(0.0126433).epsilon(1e-4));
  CHECK(*noninferior_p({5, 1000}, {9, 2000}, 0.004) == doctest::Approx(0.0372614).epsilon(1e-4));
}

TEST_CASE("no event at all still leaves doubt, and more requests take it away") {
  CHECK(*noninferior_p({0, 1000}, {0, 1000}, 0.001) > 0.05);
  CHECK(*noninferior_p({0, 10000}, {0, 10000}, 0.001) < 0.01);
}

TEST_CASE("nothing is said without trials") {
  CHECK_FALSE(noninferior_p({0, 0}, {0, 10}, 0.01).has_value());
  CHECK_FALSE(worse_p({0, 10}, {11, 10}).has_value());
}

}  // namespace scoville::stats
