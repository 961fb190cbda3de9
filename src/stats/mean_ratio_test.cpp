#include "stats/mean_ratio.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace scoville::stats {
namespace {

using Runs = std::vector<double>;
const Runs kA{10240, 10312, 10198, 10275, 10260}, kB{10890, 10755, 10822, 10910, 10801};

}  // namespace

TEST_CASE("T-CMP, more on B: Welch on logarithms, and Fieller") {
  const auto welch = geometric_mean_ratio(kA, kB);
  REQUIRE(welch.has_value());
  CHECK(welch->value == doctest::Approx(1.05640268).epsilon(5e-9));
  CHECK(welch->interval->lower == doctest::Approx(1.04842493).epsilon(5e-9));
  CHECK(welch->interval->upper == doctest::Approx(1.06444114).epsilon(5e-9));
  const auto fieller = mean_ratio(kA, kB);
  REQUIRE(fieller.has_value());
  CHECK(fieller->value == doctest::Approx(54178.0 / 51285).epsilon(1e-12));
  CHECK(fieller->interval->lower == doctest::Approx(1.04858807).epsilon(5e-9));
  CHECK(fieller->interval->upper == doctest::Approx(1.06427051).epsilon(5e-9));
}

TEST_CASE("T-CMP: the ratio of medians of four arms") {
  CHECK(median_ratio(kA, kB).value() == doctest::Approx(1.05477583).epsilon(5e-9));
  CHECK(median_ratio(kA, Runs{10420, 10380, 10510, 10340, 10465}).value() == doctest::Approx(1.01559454).epsilon(5e-9));
  CHECK(median_ratio(kA, Runs{10310, 10255, 10402, 10188, 10350}).value() == doctest::Approx(1.00487329).epsilon(5e-9));
  CHECK(median_ratio(kA, Runs{10251, 10290, 10230, 10268, 10243}).value() ==
        doctest::Approx(0.999122807).epsilon(5e-10));
  CHECK_FALSE(median_ratio({}, kB).has_value());
  CHECK_FALSE(median_ratio(kA, Runs{-1}).has_value());
}

TEST_CASE("without spread the interval is the ratio itself") {
  CHECK(geometric_mean_ratio(Runs{4, 4}, Runs{6, 6})->interval->lower == doctest::Approx(1.5));
  CHECK(mean_ratio(Runs{4, 4}, Runs{6, 6})->interval->upper == doctest::Approx(1.5));
}

TEST_CASE("a base that might be zero has a ratio but no interval") {
  // 1 and 99: mean 50, s/√2 = 49, t_2 = 4.3.
  const auto ratio = mean_ratio(Runs{1, 99}, Runs{100, 101});
  CHECK(ratio->value == doctest::Approx(2.01));
  CHECK_FALSE(ratio->interval.has_value());
}

TEST_CASE("one run, or no ratio: null") {
  CHECK_FALSE(mean_ratio(Runs{1}, kB).has_value());
  CHECK_FALSE(geometric_mean_ratio(kA, Runs{1}).has_value());
  CHECK_FALSE(geometric_mean_ratio(kA, Runs{0, 1}).has_value());
  CHECK_FALSE(mean_ratio(kA, Runs{NAN, 1}).has_value());
  CHECK_FALSE(mean_ratio(kA, kB, 0).has_value());
}

}  // namespace scoville::stats
