#include "stats/holm.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/rng.hpp"
#include "stats/mann_whitney.hpp"

namespace scoville::stats {
namespace {

void check_all(const std::optional<std::vector<double>>& got, const std::vector<double>& expected) {
  REQUIRE(got.has_value());
  REQUIRE(got->size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK((*got)[i] == doctest::Approx(expected[i]).epsilon(1e-9));
}

}  // namespace

TEST_CASE("T-MC-1: Holm for the family, Benjamini-Hochberg for the grid") {
  const std::vector<double> p{.0007, .0079, .021, .038, .3};
  check_all(holm_adjusted(p), {.0035, .0316, .063, .076, .3});
  check_all(benjamini_hochberg_adjusted(p), {.0035, .01975, .035, .0475, .3});
}

TEST_CASE("answers stand where the questions stood, never fall and never pass 1") {
  check_all(holm_adjusted(std::vector<double>{.3, .0007, .038, .0079, .021}), {.3, .0035, .076, .0316, .063});
  // 3 · 0.02 = 0.06; then 2 · 0.021 = 0.042, held at 0.06.
  check_all(holm_adjusted(std::vector<double>{.02, .021, .9}), {.06, .06, .9});
  check_all(holm_adjusted(std::vector<double>{.6, .7}), {1, 1});
  check_all(benjamini_hochberg_adjusted(std::vector<double>{.02, .021, .9}), {.0315, .0315, .9});
  check_all(holm_adjusted(std::vector<double>{.04}), {.04});
  check_all(holm_adjusted({}), {});
}

TEST_CASE("how large a family k runs can carry") {
  CHECK(largest_family(smallest_rank_sum_p(3, 3)) == 0);
  CHECK(largest_family(smallest_rank_sum_p(4, 4)) == 1);
  CHECK(largest_family(smallest_rank_sum_p(5, 5)) == 6);
  CHECK(largest_family(smallest_rank_sum_p(6, 6)) == 23);
  CHECK(largest_family(0.025) == 2);
  CHECK(largest_family(0.01) == 5);
  CHECK(largest_family(0.1, 0.3) == 3);  // 0.3 / 0.1 is 2.9999999999999996
  CHECK_FALSE(largest_family(0).has_value());
  // And the interval of that level exists exactly so long.
  const std::vector<double> a{1, 2, 3, 4, 5};
  CHECK(shift_between(a, a, *family_interval_level(0.05, 6))->interval.has_value());
  CHECK_FALSE(shift_between(a, a, *family_interval_level(0.05, 7))->interval.has_value());
}

TEST_CASE("A/A: of families of six that are nothing, at most one in twenty shows something") {
  Rng rng(5);
  int plain = 0, adjusted = 0;
  for (int family = 0; family < 300; ++family) {
    std::vector<double> p;
    for (int i = 0; i < 6; ++i) {
      std::vector<double> a, b;
      for (int run = 0; run < 6; ++run) {
        a.push_back(rng.normal());
        b.push_back(rng.normal());
      }
      p.push_back(rank_sum_test(a, b)->p);
    }
    const auto any = [](const std::vector<double>& all) { return *std::min_element(all.begin(), all.end()) <= 0.05; };
    plain += any(p);
    adjusted += any(*holm_adjusted(p));
  }
  // Unadjusted 1 - (1 - 0.041)^6 = 0.22 of 300; adjusted p needs <= 0.0083, of which 6 · 0.0065 = 0.038 of 300 come.
  CHECK(plain > 40);
  CHECK(adjusted <= 22);
}

TEST_CASE("no probability: null") {
  CHECK_FALSE(holm_adjusted(std::vector<double>{.1, 1.1}).has_value());
  CHECK_FALSE(benjamini_hochberg_adjusted(std::vector<double>{NAN}).has_value());
  CHECK_FALSE(family_interval_level(0.05, 0).has_value());
  CHECK_FALSE(family_interval_level(1, 2).has_value());
}

}  // namespace scoville::stats
