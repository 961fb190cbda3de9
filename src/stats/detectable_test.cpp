#include "stats/detectable.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "base/rng.hpp"
#include "stats/distributions.hpp"

namespace scoville::stats {

TEST_CASE("the factors of the reference, section 3.4, to the printed digits") {
  const std::vector<std::pair<std::size_t, double>> unpaired{{3, 3.07089}, {4, 2.38075}, {5, 2.02444},
                                                             {6, 1.79554}, {8, 1.50663}, {10, 1.32495}};
  for (const auto& [runs, factor] : unpaired) {
    CAPTURE(runs);
    CHECK(detectable_spreads(runs).value() == doctest::Approx(factor).epsilon(3e-6));
  }
  const std::vector<std::pair<std::size_t, double>> paired{{4, 2.12795}, {5, 1.68200}, {6, 1.43454}, {8, 1.15603}};
  for (const auto& [pairs, factor] : paired) {
    CAPTURE(pairs);
    CHECK(detectable_spreads(pairs, {.is_paired = true}).value() == doctest::Approx(factor).epsilon(3e-6));
  }
}

TEST_CASE("many runs come to the normal limit, (1.959964 + 0.841621) √(2/n)") {
  CHECK(detectable_spreads(10'000).value() == doctest::Approx(2.801585 * std::sqrt(2e-4)).epsilon(1e-3));
}

TEST_CASE("power a hair above alpha counts both tails") {
  // Normal limit: Φ(-1.959964 + δ) + Φ(-1.959964 - δ) = 0.06 at δ = 0.294594; with one tail it would be 0.405190.
  CHECK(detectable_spreads(10'000, {.power = 0.06}).value() ==
        doctest::Approx(0.294594 * std::sqrt(2e-4)).epsilon(1e-5));
}

TEST_CASE("a difference of that size is found in about four of five cases") {
  const double effect = detectable_effect(5, 0.01).value();
  CHECK(effect == doctest::Approx(0.0202444).epsilon(3e-6));
  const double limit = student_t_two_sided(0.95, 8);
  Rng rng(3);
  int found = 0;
  for (int i = 0; i < 2'000; ++i) {
    double mean[2] = {0, 0}, squares = 0;
    for (int arm = 0; arm < 2; ++arm) {
      std::vector<double> runs;
      for (int run = 0; run < 5; ++run) runs.push_back(100 * (1 + arm * effect + 0.01 * rng.normal()));
      for (const double run : runs) mean[arm] += run / 5;
      for (const double run : runs) squares += (run - mean[arm]) * (run - mean[arm]);
    }
    found += std::fabs(mean[1] - mean[0]) / std::sqrt(squares / 8 * 2 / 5) > limit;
  }
  CHECK(found == doctest::Approx(1'600).epsilon(0.04));
}

TEST_CASE("how many runs would resolve a difference") {
  // 2 % at a CV of 1 %: factor 2.02 at five runs is a hair too much, 1.80 at six is enough.
  CHECK(runs_to_resolve(0.02, 0.01) == 6);
  CHECK(runs_to_resolve(0.0203, 0.01) == 5);
  // However large it is, fewer than four a side, or six pairs, can show nothing at 5 %.
  CHECK(runs_to_resolve(10, 0.01) == 4);
  CHECK(runs_to_resolve(10, 0.01, {.is_paired = true}) == 6);
  CHECK(runs_to_resolve(10, 0.01, {.alpha = 0.005}) == 6);
  // 2 · 2.801585² · (1/0.1)² = 1570 in the normal limit.
  CHECK(static_cast<double>(*runs_to_resolve(0.001, 0.01)) == doctest::Approx(1'571).epsilon(0.002));
  CHECK_FALSE(runs_to_resolve(0.0001, 0.01).has_value());
  CHECK(runs_to_resolve(0.02, 0) == 4);
}

TEST_CASE("the spread of two arms is the root of the mean square") {
  // 1, 3: mean 2, std √2, cv 0.7071; 4, 4: 0. √(0.5 / 2) = 0.5.
  CHECK(pooled_cv(std::vector<double>{1, 3}, std::vector<double>{4, 4}).value() == doctest::Approx(0.5));
  CHECK_FALSE(pooled_cv(std::vector<double>{1}, std::vector<double>{4, 4}).has_value());
  CHECK_FALSE(pooled_cv(std::vector<double>{-1, 1}, std::vector<double>{4, 4}).has_value());
}

TEST_CASE("no such design: null") {
  CHECK_FALSE(detectable_spreads(1).has_value());
  CHECK_FALSE(detectable_spreads(kMostRuns + 1).has_value());
  CHECK_FALSE(detectable_spreads(5, {.alpha = 0}).has_value());
  CHECK_FALSE(detectable_spreads(5, {.power = 0.05}).has_value());
  CHECK_FALSE(detectable_effect(5, NAN).has_value());
  CHECK_FALSE(runs_to_resolve(0, 0.01).has_value());
}

}  // namespace scoville::stats
