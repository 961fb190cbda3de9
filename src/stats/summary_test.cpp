#include "stats/summary.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace scoville::stats {

TEST_CASE("both standard deviations, each with its divisor") {
  // Deviations -3 -1 -1 -1 0 0 2 4: squares sum to 32, over 8 and over 7.
  const auto summary = summarize(std::vector<double>{2, 4, 4, 4, 5, 5, 7, 9});
  REQUIRE(summary.has_value());
  CHECK(summary->count == 8);
  CHECK(summary->mean == 5);
  CHECK(summary->population_std == 2);
  CHECK(summary->sample_std.value() == doctest::Approx(std::sqrt(32.0 / 7)).epsilon(1e-15));
  CHECK(summary->min == 2);
  CHECK(summary->max == 9);
}

TEST_CASE("a small spread on a large level does not cancel away") {
  const auto summary = summarize(std::vector<double>{1e15, 1e15 + 1, 1e15 + 2});
  REQUIRE(summary.has_value());
  CHECK(summary->mean == 1e15 + 1);
  CHECK(summary->sample_std.value() == 1);
}

TEST_CASE("a million equal values have exactly their mean, though their sum was rounded a million times") {
  const auto summary = summarize(std::vector<double>(1'000'000, 0.1));
  REQUIRE(summary.has_value());
  CHECK(summary->mean == 0.1);
  CHECK(summary->population_std < 1e-15);  // around the rounded mean it would be 1.3e-12
}

TEST_CASE("one value has no sample standard deviation") {
  const auto summary = summarize(std::vector<double>{3});
  REQUIRE(summary.has_value());
  CHECK(summary->population_std == 0);
  CHECK_FALSE(summary->sample_std.has_value());
}

TEST_CASE("no values, or one that is no number: null") {
  CHECK_FALSE(mean({}).has_value());
  CHECK_FALSE(mean(std::vector<double>{1, NAN}).has_value());
  CHECK_FALSE(summarize({}).has_value());
  CHECK_FALSE(summarize(std::vector<double>{1, INFINITY}).has_value());
  CHECK_FALSE(summarize(std::vector<double>{1e308, -1e308}).has_value());         // the squares overflow
  CHECK_FALSE(summarize(std::vector<double>{1e308, -1e308, 1e308}).has_value());  // and so may their correction
}

}  // namespace scoville::stats
