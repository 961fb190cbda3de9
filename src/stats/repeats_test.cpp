#include "stats/repeats.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace scoville::stats {

TEST_CASE("T-RUN-1: five runs, their median, spread, and the level of their range") {
  const auto repeats = summarize_repeats(std::vector<double>{412.3, 405.9, 431.0, 418.7, 409.4});
  REQUIRE(repeats.has_value());
  CHECK(repeats->median.value == 412.3);
  CHECK_FALSE(repeats->median.interval.has_value());
  CHECK(repeats->cv.value() == doctest::Approx(0.0237697).epsilon(3e-6));
  CHECK(repeats->mean_interval->lower == doctest::Approx(403.198104).epsilon(2e-9));
  // The vector prints 427.721897; in fifty digits it is 427.72189563, and 830.92 less the lower end.
  CHECK(repeats->mean_interval->upper == doctest::Approx(427.72189563).epsilon(1e-11));
  CHECK(repeats->min == 405.9);
  CHECK(repeats->max == 431.0);
  CHECK(repeats->range_coverage == 0.9375);
}

TEST_CASE("95 % for the median needs six runs") {
  const auto repeats = summarize_repeats(std::vector<double>{6, 1, 5, 2, 4, 3});
  CHECK(repeats->median.value == 3.5);
  REQUIRE(repeats->median.interval.has_value());
  CHECK(repeats->median.interval->lower == 1);
  CHECK(repeats->median.interval->upper == 6);
  CHECK(repeats->median.interval->coverage == doctest::Approx(0.96875));
  CHECK(repeats->range_coverage == 0.96875);
}

TEST_CASE("one run has no spread, and its range no level") {
  const auto repeats = summarize_repeats(std::vector<double>{7});
  CHECK(repeats->median.value == 7);
  CHECK(repeats->range_coverage == 0);
  CHECK_FALSE(repeats->cv.has_value());
  CHECK_FALSE(repeats->mean_interval.has_value());
  CHECK_FALSE(summarize_repeats(std::vector<double>{-1, 1})->cv.has_value());
}

TEST_CASE("no run, or no number: null") {
  CHECK_FALSE(summarize_repeats({}).has_value());
  CHECK_FALSE(summarize_repeats(std::vector<double>{1, NAN}).has_value());
  CHECK_FALSE(summarize_repeats(std::vector<double>{1, 2}, 1).has_value());
}

}  // namespace scoville::stats
