#include "stats/mann_whitney.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "base/rng.hpp"

namespace scoville::stats {
namespace {

using Runs = std::vector<double>;
const Runs kA{10240, 10312, 10198, 10275, 10260};

Runs normal_runs(Rng& rng, int count, double level, double cv) {
  Runs runs;
  for (int i = 0; i < count; ++i) runs.push_back(level * (1 + cv * rng.normal()));
  return runs;
}

}  // namespace

TEST_CASE("T-CMP: ratio, exact p and interval of four arms against one") {
  struct Row {
    Runs arm;
    double ratio, p, lower, upper;
  };
  const std::vector<Row> rows{
      {{10890, 10755, 10822, 10910, 10801}, 1.05605120, 0.00793651, 1.04742048, 1.06542969},
      {{10420, 10380, 10510, 10340, 10465}, 1.01559454, 0.00793651, 1.00659426, 1.02618160},
      {{10310, 10255, 10402, 10188, 10350}, 1.00487329, 0.547619, 0.992982456, 1.01490488},
      {{10251, 10290, 10230, 10268, 10243}, 0.999318735, 1.0, 0.994084562, 1.00519710},
  };
  for (const Row& row : rows) {
    CAPTURE(row.ratio);
    const auto ratio = ratio_between(kA, row.arm);
    REQUIRE(ratio.has_value());
    REQUIRE(ratio->interval.has_value());
    CHECK(ratio->value == doctest::Approx(row.ratio).epsilon(5e-9));
    CHECK(ratio->interval->lower == doctest::Approx(row.lower).epsilon(5e-9));
    CHECK(ratio->interval->upper == doctest::Approx(row.upper).epsilon(5e-9));
    CHECK(ratio->interval->coverage == doctest::Approx(0.968254).epsilon(5e-7));
    CHECK(rank_sum_test(kA, row.arm)->p == doctest::Approx(row.p).epsilon(5e-7));
  }
}

TEST_CASE("T-CMP, more on B: the shift in its own unit") {
  const Runs b{10890, 10755, 10822, 10910, 10801};
  const auto shift = shift_between(kA, b);
  REQUIRE(shift.has_value());
  CHECK(shift->value == 578);
  CHECK(shift->interval->lower == 489);
  CHECK(shift->interval->upper == 670);
  CHECK(rank_sum_test(kA, b)->u == 25);
  CHECK(rank_sum_test(kA, b)->cliffs_delta == 1);
}

TEST_CASE("the smallest p: three and three can never show a difference at 5 %") {
  CHECK(smallest_rank_sum_p(3, 3) == doctest::Approx(0.1));
  CHECK(smallest_rank_sum_p(4, 4) == doctest::Approx(0.0285714).epsilon(2e-6));
  CHECK(smallest_rank_sum_p(5, 5) == doctest::Approx(0.00793651).epsilon(5e-7));
  CHECK(smallest_rank_sum_p(6, 6) == doctest::Approx(0.00216450).epsilon(5e-6));
  CHECK(smallest_rank_sum_p(5, 0) == 1);
  const Runs low{1, 2, 3}, high{100, 200, 300};
  CHECK(rank_sum_test(low, high)->p == doctest::Approx(0.1));
  const auto ratio = ratio_between(low, high);
  CHECK(ratio->value == doctest::Approx(100));
  CHECK_FALSE(ratio->interval.has_value());
  CHECK(ratio_between(low, high, 0.9)->interval->coverage == doctest::Approx(0.9));
}

TEST_CASE("with ties, p counts the ways to deal the mid-ranks at hand") {
  // Ranks 1, 2.5, 2.5, 4; sum of {1, 2.5} is 3.5, mean 5. Of six pairs two (3.5, twice) and two (6.5) are as far.
  CHECK(rank_sum_test(Runs{1, 2}, Runs{2, 3})->p == doctest::Approx(4.0 / 6));
  CHECK(rank_sum_test(Runs{1, 2}, Runs{2, 3})->u == 3.5);
  // Ranks 1.5, 1.5, 3 of arms one and two: {3} is 1 from the mean 2, {1.5} a half.
  CHECK(rank_sum_test(Runs{9}, Runs{4, 4})->p == doctest::Approx(1.0 / 3));
  CHECK(rank_sum_test(Runs{4}, Runs{4, 9})->p == 1);
  CHECK(rank_sum_test(Runs{7, 7, 7}, Runs{7, 7})->p == 1);
}

TEST_CASE("swapping the arms turns the answer round") {
  const Runs b{10310, 10255, 10402, 10188, 10350, 10277, 10260};
  CHECK(rank_sum_test(kA, b)->p == doctest::Approx(rank_sum_test(b, kA)->p).epsilon(1e-12));
  CHECK(rank_sum_test(kA, b)->u + rank_sum_test(b, kA)->u == 35);
  const auto there = ratio_between(kA, b), back = ratio_between(b, kA);
  CHECK(there->value == doctest::Approx(1 / back->value).epsilon(1e-12));
  CHECK(there->interval->lower == doctest::Approx(1 / back->interval->upper).epsilon(1e-12));
}

TEST_CASE("A/A: the same system twice differs in no more than the stated share") {
  // At five and five p <= 0.05 has probability 0.0317 (8/252). Of 1,000 draws 32 +- 5.6; the interval misses as often.
  Rng rng(20261);
  int called = 0, missed = 0;
  for (int i = 0; i < 1'000; ++i) {
    const Runs a = normal_runs(rng, 5, 1'000, 0.02), b = normal_runs(rng, 5, 1'000, 0.02);
    called += rank_sum_test(a, b)->p <= 0.05;
    const auto interval = *ratio_between(a, b)->interval;
    missed += interval.lower > 1 || interval.upper < 1;
  }
  CHECK(called == missed);
  CHECK(called > 15);
  CHECK(called < 50);
}

TEST_CASE("power: a shift of two and of three standard deviations is found as often as the theory says") {
  // Reference, section 3.4: k = 5 finds 2 SD in 0.69, 3 SD in 0.95.
  Rng rng(7);
  int two = 0, three = 0;
  for (int i = 0; i < 1'000; ++i) {
    const Runs a = normal_runs(rng, 5, 1'000, 0.01);
    two += rank_sum_test(a, normal_runs(rng, 5, 1'020, 0.01 / 1.02))->p <= 0.05;
    three += rank_sum_test(a, normal_runs(rng, 5, 1'030, 0.01 / 1.03))->p <= 0.05;
  }
  CHECK(two == doctest::Approx(690).epsilon(0.06));
  CHECK(three == doctest::Approx(950).epsilon(0.03));
}

TEST_CASE("fifty and fifty are exact and agree with the normal limit") {
  Runs a, b;
  for (int i = 0; i < 50; ++i) {
    a.push_back(i);
    b.push_back(i + 10.5);
  }
  // u = 1250 + Σ … = pairs with b > a: 50·50 less the (39·40)/2 with i_a > i_b + 10.5. z = (1720 - 1250 - 1/2)/σ.
  const auto test = rank_sum_test(a, b);
  CHECK(test->u == 1720);
  const double sigma = std::sqrt(2500.0 * 101 / 12), z = (1720 - 1250 - 0.5) / sigma;
  CHECK(test->p == doctest::Approx(std::erfc(z / std::sqrt(2.0))).epsilon(0.05));
}

TEST_CASE("what cannot be compared: null") {
  CHECK_FALSE(rank_sum_test({}, kA).has_value());
  CHECK_FALSE(rank_sum_test(kA, Runs{1, NAN}).has_value());
  CHECK_FALSE(rank_sum_test(Runs(51, 1.0), Runs(50, 1.0)).has_value());
  CHECK_FALSE(shift_between(kA, Runs{1, INFINITY}).has_value());
  CHECK_FALSE(shift_between(kA, kA, 1.0).has_value());
  CHECK_FALSE(ratio_between(kA, Runs{1, 0}).has_value());
  CHECK_FALSE(ratio_between(kA, Runs{1, -3}).has_value());
}

}  // namespace scoville::stats
