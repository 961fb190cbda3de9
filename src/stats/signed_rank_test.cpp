#include "stats/signed_rank.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "base/rng.hpp"
#include "stats/mann_whitney.hpp"

namespace scoville::stats {

TEST_CASE("T-PAIR-1: on a drifting machine pairs see what two heaps of runs do not") {
  const std::vector<double> a{10250, 10180, 10140, 10075, 10010, 9958};
  const std::vector<double> b{10455, 10402, 10330, 10285, 10200, 10160};
  const auto paired = paired_ratio(a, b);
  REQUIRE(paired.has_value());
  REQUIRE(paired->interval.has_value());
  CHECK(paired->value == doctest::Approx(1.02014259).epsilon(5e-9));
  CHECK(paired->interval->lower == doctest::Approx(1.01873767).epsilon(5e-9));
  CHECK(paired->interval->upper == doctest::Approx(1.02180747).epsilon(5e-9));
  CHECK(paired->interval->coverage == 0.96875);
  CHECK(paired_test(a, b)->p == 0.03125);
  const auto heaps = ratio_between(a, b);
  CHECK(heaps->interval->lower == doctest::Approx(1.00341463).epsilon(5e-9));
  CHECK(heaps->interval->upper == doctest::Approx(1.03735690).epsilon(5e-9));
}

TEST_CASE("the smallest p: five pairs can never show a difference at 5 %, six can") {
  CHECK(smallest_signed_rank_p(0) == 1);
  CHECK(smallest_signed_rank_p(5) == 0.0625);
  CHECK(smallest_signed_rank_p(6) == 0.03125);
  CHECK(smallest_signed_rank_p(8) == 0.0078125);
  CHECK(signed_rank_test(std::vector<double>{1, 2, 3, 4, 5})->p == 0.0625);
  CHECK_FALSE(centre_of(std::vector<double>{1, 2, 3, 4, 5})->interval.has_value());
  CHECK(centre_of(std::vector<double>{1, 2, 3, 4, 5, 6})->interval->coverage == 0.96875);
}

TEST_CASE("by hand: three differences, ties and zeros") {
  // Sizes 1, 2, 3; positive 1 + 3 = 4 of 6, one from the centre: only the sum 3 (two ways of eight) is nearer.
  const auto plain = signed_rank_test(std::vector<double>{1, -2, 3});
  CHECK(plain->rank_sum == 4);
  CHECK(plain->p == 0.75);
  // Walsh averages -2 -0.5 0.5 1 2 3: median between 0.5 and 1.
  CHECK(centre_of(std::vector<double>{1, -2, 3})->value == 0.75);
  // Two zeros left out; ranks 1.5 1.5 3. Positive 4.5: sums 0 1.5 1.5 3 3 4.5 4.5 6, all but two as far from 3.
  const auto tied = signed_rank_test(std::vector<double>{0, 2, -2, 0, 5});
  CHECK(tied->non_zero == 3);
  CHECK(tied->rank_sum == 4.5);
  CHECK(tied->p == 0.75);
  CHECK(signed_rank_test(std::vector<double>{0, 0})->p == 1);
}

TEST_CASE("A/A and power of eight pairs under drift") {
  // p <= 0.05 has probability 10/256 = 0.039 (sums 0 to 3): of 1,000 draws 39 +- 6.
  // Power at a shift of 1.5 SD of the difference is about 0.94 (t-test 0.96).
  Rng rng(11);
  int called = 0, found = 0;
  for (int i = 0; i < 1'000; ++i) {
    std::vector<double> a, same, better;
    for (int pair = 0; pair < 8; ++pair) {
      const double level = 1'000 - 20 * pair;
      a.push_back(level * (1 + 0.005 * rng.normal()));
      same.push_back(level * (1 + 0.005 * rng.normal()));
      better.push_back(level * (1 + 0.005 * (1.5 * std::sqrt(2.0) + rng.normal())));
    }
    called += paired_test(a, same)->p <= 0.05;
    found += paired_test(a, better)->p <= 0.05;
  }
  CHECK(called > 20);
  CHECK(called < 60);
  CHECK(found > 900);
}

TEST_CASE("two hundred pairs are exact and agree with the normal limit") {
  std::vector<double> differences;
  for (int i = 1; i <= 200; ++i) differences.push_back(i % 5 < 2 ? -i : i);
  const auto test = signed_rank_test(differences);
  const double z = (test->rank_sum - 10'050 - 0.5) / std::sqrt(200.0 * 201 * 401 / 24);
  CHECK(test->p == doctest::Approx(std::erfc(z / std::sqrt(2.0))).epsilon(0.05));
}

TEST_CASE("what cannot be paired: null") {
  const std::vector<double> two{1, 2}, three{1, 2, 3};
  CHECK_FALSE(paired_test(two, three).has_value());
  CHECK_FALSE(paired_ratio(two, std::vector<double>{1, 0}).has_value());
  CHECK_FALSE(signed_rank_test({}).has_value());
  CHECK_FALSE(signed_rank_test(std::vector<double>{1, NAN}).has_value());
  CHECK_FALSE(signed_rank_test(std::vector<double>(kMostPairs + 1, 1.0)).has_value());
  CHECK_FALSE(centre_of(two, 0).has_value());
}

}  // namespace scoville::stats
