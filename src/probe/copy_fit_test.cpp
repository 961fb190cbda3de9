#include "probe/copy_fit.hpp"

#include <doctest/doctest.h>

using namespace scoville::probe;

namespace {

CopyPoint copy(double bytes, double median, std::string direction = "h2d") {
  CopyPoint point;
  point.direction = std::move(direction);
  point.is_pinned = true;
  point.bytes = bytes;
  point.hot = Times{};
  point.hot->median = median;
  return point;
}

}  // namespace

TEST_CASE("a line is found again: 10 us and 25 GB/s") {
  // t = 10000 + n / 25 ns
  const auto fit = fit_copy({copy(4000, 10160), copy(1e6, 50000), copy(1e9, 40010000)});
  REQUIRE(fit);
  CHECK(fit->start_ns == doctest::Approx(10000));
  CHECK(fit->bytes_per_second == doctest::Approx(25e9));
  CHECK(fit->worst == doctest::Approx(0).epsilon(1e-9));
}

TEST_CASE("two sizes make no fit, nor does a time that does not grow") {
  CHECK_FALSE(fit_copy({copy(1000, 10), copy(2000, 20)}).has_value());
  CHECK_FALSE(fit_copy({copy(1000, 30), copy(2000, 20), copy(3000, 10)}).has_value());
}

TEST_CASE("a start below nothing is nothing: the line then goes through the origin") {
  const auto fit = fit_copy({copy(1000, 100), copy(2000, 400), copy(3000, 900)});
  REQUIRE(fit);
  CHECK(fit->start_ns == 0);
  // slope = sum(n / t) / sum(n^2 / t^2) = (10 + 5 + 10/3) / (100 + 25 + 100/9)
  CHECK(fit->bytes_per_second == doctest::Approx(1e9 * (100 + 25 + 100.0 / 9) / (10 + 5 + 10.0 / 3)));
}

TEST_CASE("directions have lines of their own") {
  const auto lines = copy_lines({copy(1, 1), copy(2, 2, "d2h"), copy(3, 3)});
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].points.size() == 2);
  CHECK_FALSE(lines[1].fit.has_value());
}
