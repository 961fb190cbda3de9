#include "stats/batch_means.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/rng.hpp"
#include "stats/quantile.hpp"

namespace scoville::stats {
namespace {

/// x_i = (7919 i mod 1000) / 10.
std::vector<double> four_hundred_values() {
  std::vector<double> values;
  for (int i = 0; i < 400; ++i) values.push_back(7919 * i % 1000 / 10.0);
  return values;
}

/// Standard normal values, each correlated by rho with the one before it.
std::vector<double> autoregressive(Rng& rng, double rho, std::size_t n) {
  std::vector<double> series;
  double x = rng.normal();
  for (std::size_t i = 0; i < n; ++i) {
    x = rho * x + std::sqrt(1 - rho * rho) * rng.normal();
    series.push_back(x);
  }
  return series;
}

}  // namespace

TEST_CASE("mean and median with the interval that plain Python works out from the same 20 batches") {
  const auto series = four_hundred_values();
  const auto by_mean = batch_mean_interval(series);
  REQUIRE(by_mean.has_value());
  CHECK(by_mean->estimate == doctest::Approx(50.05).epsilon(1e-12));
  CHECK(by_mean->lower == doctest::Approx(48.0412936918).epsilon(1e-9));
  CHECK(by_mean->upper == doctest::Approx(52.0587063082).epsilon(1e-9));
  CHECK(by_mean->batches == 20);
  const auto median = batch_quantile_interval(series, 0.5);
  REQUIRE(median.has_value());
  CHECK(median->estimate == 50.1);
  CHECK(median->lower == doctest::Approx(46.4507036594).epsilon(1e-9));
  CHECK(median->upper == doctest::Approx(53.7492963406).epsilon(1e-9));
  CHECK(median->batch_r1.value() == doctest::Approx(-0.6628594304).epsilon(1e-9));
}

TEST_CASE("where values follow each other, batches keep the promise that ranks break") {
  // AR(1) with rho 0.8: n_eff is N / 9. The 95 % quantile of a standard normal is 1.644854.
  Rng rng(2024);
  int held_by_batches = 0, held_by_ranks = 0;
  constexpr int kDraws = 300;
  for (int draw = 0; draw < kDraws; ++draw) {
    auto series = autoregressive(rng, 0.8, 2000);
    const auto batches = batch_quantile_interval(series, 0.95);
    std::ranges::sort(series);
    const auto ranks = quantile_interval(series, 0.95);
    held_by_batches += batches->lower <= 1.644854 && 1.644854 <= batches->upper;
    held_by_ranks += ranks->lower <= 1.644854 && 1.644854 <= ranks->upper;
  }
  CHECK(held_by_batches > 0.90 * kDraws);  // 0.95 less four standard errors of 0.0126
  CHECK(held_by_ranks < 0.80 * kDraws);
}

TEST_CASE("the batches tell when they are too short to be independent") {
  Rng rng(7);
  CHECK(batch_mean_interval(autoregressive(rng, 0.995, 400))->batch_r1.value() > 0.3);
  CHECK(batch_mean_interval(autoregressive(rng, 0.5, 20'000))->batch_r1.value() < 0.3);
}

TEST_CASE("equal values have an interval of no width") {
  const std::vector<double> series(400, 3.0);
  const auto interval = batch_mean_interval(series);
  REQUIRE(interval.has_value());
  CHECK(interval->lower == 3);
  CHECK(interval->upper == 3);
  CHECK_FALSE(interval->batch_r1.has_value());
}

TEST_CASE("too few batches, values a batch or values beyond the quantile: null") {
  const auto series = four_hundred_values();
  CHECK_FALSE(batch_mean_interval({}).has_value());
  CHECK_FALSE(batch_mean_interval(series, 0.95, 19).has_value());
  CHECK_FALSE(batch_mean_interval(series, 0.95, 0).has_value());
  CHECK_FALSE(batch_quantile_interval(series, 0.5, 0.95, 0).has_value());
  CHECK_FALSE(batch_mean_interval(series, 0.95, 41).has_value());  // 9 a batch
  CHECK_FALSE(batch_mean_interval(series, 1).has_value());
  CHECK_FALSE(batch_quantile_interval(series, 0.95).has_value());  // 20 · 0.05 = 1 beyond
  CHECK(batch_quantile_interval(series, 0.9).has_value());         // 20 · 0.1 = 2 beyond
  CHECK_FALSE(batch_quantile_interval(series, 1).has_value());
  auto broken = series;
  broken[7] = NAN;
  CHECK_FALSE(batch_mean_interval(broken).has_value());
  CHECK_FALSE(batch_quantile_interval(broken, 0.5).has_value());
}

}  // namespace scoville::stats
