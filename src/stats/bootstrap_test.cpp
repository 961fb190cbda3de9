#include "stats/bootstrap.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace scoville::stats {
namespace {

const std::vector<double> kA{10240, 10312, 10198, 10275, 10260};

}  // namespace

TEST_CASE("T-BOOT: the seeded bootstrap of three arms, digit by digit") {
  struct Row {
    std::vector<double> arm;
    double lower, median, upper;
  };
  const std::vector<Row> rows{
      {{10890, 10755, 10822, 10910, 10801}, 1.04742048, 1.05478516, 1.06542969},
      {{10310, 10255, 10402, 10188, 10350}, 0.992982456, 1.00487329, 1.01490488},
      {{10420, 10380, 10510, 10340, 10465}, 1.00659426, 1.01559454, 1.02618160},
  };
  for (const Row& row : rows) {
    CAPTURE(row.median);
    const auto ratio = bootstrap_ratio(kA, row.arm);
    REQUIRE(ratio.has_value());
    CHECK(ratio->lower == doctest::Approx(row.lower).epsilon(5e-9));
    CHECK(ratio->median == doctest::Approx(row.median).epsilon(5e-9));
    CHECK(ratio->upper == doctest::Approx(row.upper).epsilon(5e-9));
  }
}

TEST_CASE("the seed decides, and nothing else") {
  std::vector<double> a, b;
  for (int i = 0; i < 20; ++i) {
    a.push_back(100 + 1.7 * i);
    b.push_back(103 + 1.3 * i);
  }
  const auto first = bootstrap_ratio(a, b), again = bootstrap_ratio(a, b);
  CHECK(first->lower == again->lower);
  CHECK(first->lower != bootstrap_ratio(a, b, {.replicates = 1'000, .seed = 43})->lower);
}

TEST_CASE("one value each has one ratio") {
  const auto ratio = bootstrap_ratio(std::vector<double>{4}, std::vector<double>{6}, {.replicates = 10});
  CHECK(ratio->lower == 1.5);
  CHECK(ratio->upper == 1.5);
}

TEST_CASE("nothing to resample, or no ratio: null") {
  CHECK_FALSE(bootstrap_ratio({}, kA).has_value());
  CHECK_FALSE(bootstrap_ratio(kA, std::vector<double>{1, 0}).has_value());
  CHECK_FALSE(bootstrap_ratio(kA, std::vector<double>{NAN}).has_value());
  CHECK_FALSE(bootstrap_ratio(kA, kA, {.level = 1}).has_value());
  CHECK_FALSE(bootstrap_ratio(kA, kA, {.replicates = 0}).has_value());
}

}  // namespace scoville::stats
