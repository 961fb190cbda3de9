#include "stats/quantile.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace scoville::stats {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// T-Q-2: L_i = 100 + ((7919 i) mod 1000) / 10.
std::vector<double> two_hundred_latencies() {
  std::vector<double> values;
  for (int i = 0; i < 200; ++i) values.push_back(100 + (7919 * i % 1000) / 10.0);
  std::ranges::sort(values);
  return values;
}

void check_ranks(std::size_t n, double p, double level, std::size_t lower, std::size_t upper, double coverage) {
  CAPTURE(n);
  CAPTURE(p);
  const auto ranks = rank_interval(n, p, level);
  REQUIRE(ranks.has_value());
  CHECK(ranks->lower == lower);
  CHECK(ranks->upper == upper);
  CHECK(ranks->coverage == doctest::Approx(coverage).epsilon(5e-7));
}

}  // namespace

TEST_CASE("a product that only rounding pushed above a whole number keeps its rank") {
  CHECK(nearest_rank(200, 0.95) == 190);
  CHECK(nearest_rank(100, 0.07) == 7);  // 0.07 * 100 is 7.000000000000001
  CHECK(nearest_rank(1000, 0.999) == 999);
  for (std::size_t percent = 1; percent <= 100; ++percent) {
    for (const std::size_t hundreds : {1, 3, 7, 1000, 100'000}) {
      CHECK(nearest_rank(100 * hundreds, static_cast<double>(percent) / 100) == percent * hundreds);
    }
  }
}

TEST_CASE("a rank is rounded up, and stays within the sample") {
  CHECK(nearest_rank(10, 0.901) == 10);
  CHECK(nearest_rank(3, 0.5) == 2);
  CHECK(nearest_rank(3, 0) == 1);
  CHECK(nearest_rank(3, 1) == 3);
  CHECK(nearest_rank(10'000'001, 0.99) == 9'900'001);
}

TEST_CASE("T-Q-2: both rules and both intervals on 200 latencies") {
  const auto sorted = two_hundred_latencies();
  CHECK(nearest_rank_quantile(sorted, 0.95) == 194.7);
  CHECK(linear_quantile(sorted, 0.95).value() == doctest::Approx(194.715).epsilon(1e-12));
  const auto p95 = quantile_interval(sorted, 0.95), median = quantile_interval(sorted, 0.5);
  REQUIRE(p95.has_value());
  CHECK(p95->lower == 191.9);
  CHECK(p95->upper == 197.8);
  CHECK(p95->coverage == doctest::Approx(0.967152).epsilon(5e-7));
  REQUIRE(median.has_value());
  CHECK(median->lower == 142.0);
  CHECK(median->upper == 157.3);
}

TEST_CASE("T-Q-1: the ranks and the coverage they really have") {
  check_ranks(200, 0.5, 0.95, 86, 115, 0.959963);
  check_ranks(1000, 0.5, 0.95, 469, 532, 0.953709);
  check_ranks(100, 0.95, 0.95, 90, 100, 0.982607);
  check_ranks(200, 0.95, 0.95, 184, 197, 0.967152);
  check_ranks(1000, 0.95, 0.95, 936, 964, 0.958095);
  check_ranks(5000, 0.95, 0.95, 4719, 4781, 0.955792);
  check_ranks(500, 0.99, 0.95, 490, 500, 0.980186);
  check_ranks(1000, 0.99, 0.95, 983, 997, 0.976095);
  check_ranks(5000, 0.99, 0.95, 4936, 4964, 0.953740);
}

TEST_CASE("P99 has no upper rank below 368 values") {
  CHECK_FALSE(rank_interval(367, 0.99).has_value());
  check_ranks(368, 0.99, 0.95, 360, 368, 0.962415820);  // exact rational arithmetic in Python
}

TEST_CASE("smallest and largest of k runs bound the median with 1 - 2^(1-k), a tail that is met exactly") {
  check_ranks(5, 0.5, 0.9375, 1, 5, 0.9375);
  check_ranks(6, 0.5, 0.96875, 1, 6, 0.96875);
  CHECK_FALSE(rank_interval(5, 0.5).has_value());
  for (std::size_t k = 2; k <= 50; ++k) {
    const double level = 1 - std::ldexp(1, 1 - static_cast<int>(k));
    check_ranks(k, 0.5, level, 1, k, level);
  }
}

TEST_CASE("ten million values have ranks at once") {
  // By summing the probabilities one by one in 30 digits (Python, mpmath).
  check_ranks(10'000'000, 0.99, 0.95, 9'899'383, 9'900'617, 0.950115853);
  check_ranks(10'000'000, 0.5, 0.95, 4'996'901, 5'003'100, 0.950038793);
  check_ranks(1'000'000, 0.999, 0.99, 998'918, 999'081, 0.990085583);
}

TEST_CASE("what cannot be answered is null, never a number") {
  CHECK_FALSE(nearest_rank_quantile({}, 0.5).has_value());
  CHECK_FALSE(linear_quantile({}, 0.5).has_value());
  CHECK_FALSE(quantile_interval({}, 0.5).has_value());
  const std::vector values{1.0, 2.0};
  for (const double p : {-0.1, 1.1, kNan}) {
    CHECK_FALSE(nearest_rank_quantile(values, p).has_value());
    CHECK_FALSE(linear_quantile(values, p).has_value());
    CHECK_FALSE(rank_interval(200, p).has_value());
    CHECK_FALSE(rank_interval(200, 0.5, p).has_value());
  }
  CHECK_FALSE(rank_interval(200, 0).has_value());
  CHECK_FALSE(rank_interval(200, 1).has_value());
}

TEST_CASE("a quantile among requests cut off at a time-out is unknown") {
  const std::vector sorted{1.0, 2.0, 3.0, kInfinity};
  CHECK(nearest_rank_quantile(sorted, 0.75) == 3.0);
  CHECK_FALSE(nearest_rank_quantile(sorted, 0.76).has_value());
  CHECK(linear_quantile(sorted, 2.0 / 3) == 3.0);
  CHECK_FALSE(linear_quantile(sorted, 0.9).has_value());
  const std::vector all_cut(8, kInfinity);
  CHECK_FALSE(linear_quantile(all_cut, 0.3).has_value());
  CHECK_FALSE(quantile_interval(all_cut, 0.5).has_value());
}

}  // namespace scoville::stats
