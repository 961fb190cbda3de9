#include "stats/early_stopping.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <vector>

namespace scoville::stats {

TEST_CASE("T-ES-1: how many requests must be under the limit when t are over it") {
  CHECK(h_min(0, 0.5) == 7);  // 0.5^7 = 0.0078 <= 0.01 < 0.5^6
  CHECK(h_min(0, 0.9) == 44);
  CHECK(h_min(0, 0.95) == 90);
  CHECK(h_min(0, 0.99) == 459);
  // t > 0 by summing binomial terms in 30 digits (Python, mpmath).
  CHECK(h_min(1, 0.999) == 6635);
  CHECK(h_min(2, 0.5) == 12);
  CHECK(h_min(2, 0.95) == 163);
}

TEST_CASE("T-ES-1: the least sample that supports a percentile") {
  CHECK(minimum_sample(0.5) == 11);  // P(Bin(11, 1/2) <= 1) = 12 / 2048 = 0.0059, of 10: 11 / 1024 = 0.0107
  CHECK(minimum_sample(0.9) == 64);
  CHECK(minimum_sample(0.95) == 130);
  CHECK(minimum_sample(0.99) == 662);
}

TEST_CASE("T-ES-1: how many of N requests may be over the limit") {
  CHECK(allowed_overlatency(10'000, 0.99) == 77);
  CHECK(allowed_overlatency(1000, 0.95) == 34);
  CHECK_FALSE(allowed_overlatency(200, 0.99).has_value());
  CHECK_FALSE(allowed_overlatency(661, 0.99).has_value());
  CHECK(allowed_overlatency(662, 0.99) == 1);
}

TEST_CASE("the allowed overlatency is the largest t that h_min leaves room for") {
  for (const std::uint64_t n : {11, 64, 130, 500, 662, 1000}) {
    for (const double p : {0.5, 0.9, 0.95, 0.99}) {
      CAPTURE(n);
      CAPTURE(p);
      std::uint64_t t = 0;
      while (*h_min(t + 1, p) + t + 1 <= n) ++t;
      CHECK(allowed_overlatency(n, p).value_or(0) == t);
    }
  }
}

TEST_CASE("a certified percentile is the value that t requests reach or exceed") {
  std::vector<double> sorted(10'000);
  std::iota(sorted.begin(), sorted.end(), 1.0);
  const auto p99 = certified_percentile(sorted, 0.99);
  REQUIRE(p99.has_value());
  CHECK(p99->value == 9924);  // 10000 - 77 + 1
  CHECK(p99->rank == 9924);
  CHECK(p99->overlatency == 77);
}

TEST_CASE("no sample, no percentile, no certainty: null") {
  CHECK_FALSE(certified_percentile({}, 0.5).has_value());
  CHECK_FALSE(h_min(0, 1).has_value());
  CHECK_FALSE(h_min(0, 0).has_value());
  CHECK_FALSE(minimum_sample(0.5, 1).has_value());
  CHECK_FALSE(allowed_overlatency(0, 0.5).has_value());
  CHECK_FALSE(h_min(0, 1 - 1e-16).has_value());  // 4e16 requests
}

TEST_CASE("a sample of ten million is certified at once") {
  // Bin(10^7, 0.01): mean 100,000, sd 314.6, and 2.326 sd below it lies 99,268; the exact rank differs by a few.
  CHECK(static_cast<double>(allowed_overlatency(10'000'000, 0.99).value()) == doctest::Approx(99'268).epsilon(1e-4));
}

}  // namespace scoville::stats
