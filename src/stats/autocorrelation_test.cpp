#include "stats/autocorrelation.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace scoville::stats {

TEST_CASE("T-AC-1: twenty values that follow each other are worth fewer than five") {
  const std::vector<double> x{120, 118, 125, 160, 170, 165, 140, 130, 122, 119,
                              150, 168, 172, 158, 141, 128, 121, 117, 138, 155};
  CHECK(lag1_autocorrelation(x).value() == doctest::Approx(0.621576644).epsilon(1e-9));
  CHECK(effective_sample_size(x).value() == doctest::Approx(4.66735085).epsilon(1e-8));
}

TEST_CASE("two values: r1 is -1/2 whatever they are, as d · (-d) / 2d² says") {
  const std::vector<double> x{3, 7};
  CHECK(lag1_autocorrelation(x) == -0.5);
  CHECK(effective_sample_size(x) == 6);  // 2 · 1.5 / 0.5
}

TEST_CASE("equal values, one value, none, or one that is no number have no correlation") {
  for (const std::vector<double>& x : {std::vector<double>{}, {1}, {5, 5, 5}, {1, NAN, 2}, {1, INFINITY}}) {
    CHECK_FALSE(lag1_autocorrelation(x).has_value());
    CHECK_FALSE(effective_sample_size(x).has_value());
  }
}

}  // namespace scoville::stats
