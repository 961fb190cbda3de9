#include "stats/mser.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "stats/summary.hpp"

namespace scoville::stats {
namespace {

const std::vector<double> kWarmingUp{31,   27.5, 25.2, 23.9, 22.8, 22.1, 21.6, 21.2, 20.9, 20.7, 20.4, 20.5, 20.3, 20.6,
                                     20.4, 20.2, 20.5, 20.3, 20.4, 20.6, 20.3, 20.5, 20.4, 20.2, 20.6, 20.4, 20.3, 20.5,
                                     20.4, 20.3, 20.5, 20.2, 20.4, 20.6, 20.3, 20.4, 20.5, 20.3, 20.4, 20.5};

}  // namespace

TEST_CASE("T-MSER-1: fifteen values of warm-up are dropped, and the mean is the steady one") {
  const auto statistics = mser5_statistics(kWarmingUp);
  const std::vector expected{0.431199, 0.0140035, 5.92593e-05, 3.2e-05, 5e-05};
  REQUIRE(statistics.size() == expected.size());
  for (std::size_t d = 0; d < expected.size(); ++d) {
    CHECK(statistics[d] / expected[d] == doctest::Approx(1).epsilon(2e-6));
  }
  const auto cut = mser5(kWarmingUp);
  REQUIRE(cut.has_value());
  CHECK(cut->batches == 8);
  CHECK(cut->dropped_batches == 3);
  CHECK(cut->first_kept == 15);
  CHECK_FALSE(cut->at_limit);
  CHECK(mean(kWarmingUp).value() == doctest::Approx(21.2275).epsilon(1e-12));
  CHECK(mean(std::span(kWarmingUp).subspan(15)).value() == doctest::Approx(20.4).epsilon(1e-12));
}

TEST_CASE("a series that never settles has its minimum at the limit of the search") {
  std::vector<double> ramp;
  for (int i = 0; i < 60; ++i) ramp.push_back(i);
  const auto cut = mser5(ramp);
  REQUIRE(cut.has_value());
  CHECK(cut->at_limit);
  CHECK(cut->first_kept == 30);
}

TEST_CASE("equal values lose nothing, and an unfinished last batch takes no part") {
  const std::vector<double> level(23, 0.1);
  const auto cut = mser5(level);
  REQUIRE(cut.has_value());
  CHECK(cut->batches == 4);
  CHECK(cut->first_kept == 0);
}

TEST_CASE("fewer than two batches, or a value that is no number: null") {
  CHECK_FALSE(mser5({}).has_value());
  CHECK_FALSE(mser5(std::vector<double>(9, 1.0)).has_value());
  CHECK(mser5(std::vector<double>(10, 1.0)).has_value());
  CHECK_FALSE(mser5(std::vector<double>(10, NAN)).has_value());
}

}  // namespace scoville::stats
