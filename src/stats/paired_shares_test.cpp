#include "stats/paired_shares.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace scoville::stats {
namespace {

constexpr double kZSquared = 3.841458820694124;  // 1.959963984540054²

void check(const std::optional<Interval>& interval, double lower, double upper) {
  REQUIRE(interval.has_value());
  CHECK(interval->lower == doctest::Approx(lower).epsilon(1e-7));
  CHECK(interval->upper == doctest::Approx(upper).epsilon(1e-7));
}

}  // namespace

TEST_CASE("no disagreement still leaves doubt: the ratio is bounded by k / (k + z²), whatever both got wrong") {
  // Without discordant pairs the score of a ratio r < 1 is √(k (1 - r) / r), by hand from the constrained estimates.
  for (const std::uint64_t k : {10u, 380u, 381u}) {
    const auto count = static_cast<double>(k);
    check(share_ratio({k, 0, 0, 0}), count / (count + kZSquared), (count + kZSquared) / count);
    check(share_ratio({k, 0, 0, 25}), count / (count + kZSquared), (count + kZSquared) / count);
  }
  CHECK(share_ratio({380, 0, 0, 0})->lower < 0.99);
  CHECK(share_ratio({381, 0, 0, 0})->lower > 0.99);
}

TEST_CASE("intervals of counts with disagreement, as an independent search of the constrained likelihood has them") {
  // Python: the maximum of the multinomial likelihood on a refined grid, the score solved by bisection.
  check(share_ratio({43, 3, 7, 12}), 0.9474722718, 1.2711863594);
  check(share_ratio({80, 6, 2, 12}), 0.8756320224, 1.0233248219);
  check(share_ratio({99, 1, 0, 0}), 0.9455138038, 1.0284145882);
  check(share_difference({43, 3, 7, 12}), -0.0390799306, 0.1694380678);
  check(share_difference({80, 6, 2, 12}), -0.1082152013, 0.0190973370);
}

TEST_CASE("Tango's difference: 43 of 44 pairs agree, one is won") {
  check(share_difference({43, 0, 1, 0}), -0.0593932311, 0.1180770970);
  check(share_difference({43, 1, 0, 0}), -0.1180770970, 0.0593932311);
}

TEST_CASE("no right answer on either side of the ratio") {
  CHECK_FALSE(share_ratio({0, 0, 5, 5}).has_value());  // base has none: no ratio
  CHECK_FALSE(share_ratio({}).has_value());
  CHECK_FALSE(share_difference({}).has_value());
  const auto none = share_ratio({0, 10, 0, 0});
  REQUIRE(none.has_value());
  CHECK(none->lower == 0);
  CHECK(none->upper < 0.5);
}

TEST_CASE("how many pairs settle a ratio grows with the square of the distance in standard deviations") {
  // All agree: k (1 - r) / r >= z², so k >= 3.8414588 · 99 = 380.3, and for 0.999: 3.8414588 · 999 = 3837.6.
  CHECK(pairs_to_settle({40, 0, 0, 0}, 0.99) == 381);
  CHECK(pairs_to_settle({40, 0, 0, 0}, 0.999) == 3838);
  CHECK(pairs_to_settle({20, 0, 0, 20}, 0.99) == 761);  // half of the questions tell nothing
  CHECK(pairs_to_settle({500, 0, 0, 0}, 0.99) == 500);
  CHECK_FALSE(pairs_to_settle({10, 0, 0, 0}, 1).has_value());
  CHECK_FALSE(pairs_to_settle({0, 0, 3, 7}, 0.99).has_value());
  // And with disagreement: so many times the counts, and the interval just touches.
  const auto enough = pairs_to_settle({900, 20, 20, 60}, 0.99);
  REQUIRE(enough.has_value());
  CHECK(*enough > 1000);
  const double factor = *enough / 1000;
  const auto scaled = [&](double count) { return static_cast<std::uint64_t>(std::llround(count * factor)); };
  CHECK(share_ratio({scaled(900), scaled(20), scaled(20), scaled(60)})->lower == doctest::Approx(0.99).epsilon(5e-4));
}

}  // namespace scoville::stats
