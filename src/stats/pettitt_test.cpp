#include "stats/pettitt.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace scoville::stats {

TEST_CASE("T-PET-1: a step is found where it is") {
  const std::vector<double> x{20.4, 20.5, 20.3, 20.6, 20.4, 20.2, 20.5, 20.3, 20.4, 20.6,
                              20.5, 20.4, 23.9, 24.1, 23.8, 24.0, 24.2, 23.9, 24.0, 24.1};
  const auto step = pettitt(x);
  REQUIRE(step.has_value());
  CHECK(step->first_segment == 12);
  CHECK(step->k == -96);
  CHECK(step->p / 0.00276778 == doctest::Approx(1).epsilon(2e-6));
  CHECK(step->mean_after / step->mean_before - 1 == doctest::Approx(0.175031).epsilon(5e-6));
}

TEST_CASE("a step down has a positive K, and no p is above 1") {
  const auto down = pettitt(std::vector<double>{2, 2, 1, 1});
  REQUIRE(down.has_value());
  CHECK(down->first_segment == 2);
  CHECK(down->k == 4);                                        // each of two against each of two
  CHECK(down->p == doctest::Approx(0.602388).epsilon(1e-6));  // 2 exp(-6 · 16 / 80)
  CHECK(pettitt(std::vector<double>{2, 1})->p == 1);          // 2 exp(-6 / 12) = 1.21
}

TEST_CASE("no step without values, with equal values, or with a value that is no number") {
  CHECK_FALSE(pettitt({}).has_value());
  CHECK_FALSE(pettitt(std::vector<double>{1}).has_value());
  CHECK_FALSE(pettitt(std::vector<double>(50, 4.0)).has_value());
  CHECK_FALSE(pettitt(std::vector<double>{1, 2, NAN}).has_value());
}

}  // namespace scoville::stats
