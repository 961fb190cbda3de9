#include "probe/roofline.hpp"

#include <doctest/doctest.h>

using namespace scoville::probe;

TEST_CASE("the ridge and what the roof is on both sides of it, by hand") {
  const Roof roof{200e9, 40e9};
  CHECK(roof.ridge() == doctest::Approx(5));
  CHECK(roof.at(1) == doctest::Approx(40e9));
  CHECK(roof.at(5) == doctest::Approx(200e9));
  CHECK(roof.at(100) == doctest::Approx(200e9));
}

TEST_CASE("a point is bound by memory below half the ridge, by computing above twice of it") {
  const Roof roof{200e9, 40e9};
  CHECK(bound_of(2.4, 1e6, roof, 1000) == Bound::memory);
  CHECK(bound_of(2.6, 1e6, roof, 1000) == Bound::transition);
  CHECK(bound_of(9.9, 1e6, roof, 1000) == Bound::transition);
  CHECK(bound_of(10.1, 1e6, roof, 1000) == Bound::compute);
}

TEST_CASE("shorter than three launches it is the launch that binds, where that is known") {
  const Roof roof{200e9, 40e9};
  CHECK(bound_of(100, 2999, roof, 1000) == Bound::launch);
  CHECK(bound_of(100, 3001, roof, 1000) == Bound::compute);
  CHECK(bound_of(100, 2999, roof, std::nullopt) == Bound::compute);
}

TEST_CASE("points are put under the roof that was measured with them, in the order of their intensity") {
  const auto product = [](double m, double n, double k, double median) {
    GemmPoint point;
    point.m = m;
    point.n = n;
    point.k = k;
    point.dtype = "fp32";
    point.hot = Times{};
    point.hot->median = median;
    return point;
  };
  // 1000^3: 2e9 operations in 1e7 ns = 200 GFLOP/s, 166.7 operations a byte. 1 x 1000 x 1000: 2e6 in 2e5 ns = 10
  // GFLOP/s; 4 (1000 + 1e6 + 1000) bytes.
  const auto lines = rooflines({product(1000, 1000, 1000, 1e7), product(1, 1000, 1000, 2e5)}, 40e9, std::nullopt);
  REQUIRE(lines.size() == 1);
  const Roofline& line = lines.front();
  CHECK(line.roof.ridge() == doctest::Approx(5));
  REQUIRE(line.points.size() == 2);
  CHECK(line.points[0].intensity == doctest::Approx(2e6 / 4.008e6));
  CHECK(line.points[0].bound == Bound::memory);
  CHECK(line.points[0].share() == doctest::Approx(10e9 / (2e6 / 4.008e6 * 40e9)));
  CHECK(line.points[1].share() == doctest::Approx(1));
  CHECK(rooflines({product(1, 1, 1, 1)}, std::nullopt, std::nullopt).empty());
}

TEST_CASE("what a launch costs is told by many in a row, if that was measured") {
  const auto of = [](std::string kind, double median) {
    LaunchPoint point;
    point.kind = std::move(kind);
    point.hot = Times{};
    point.hot->median = median;
    return point;
  };
  CHECK(*launch_time({of("roundtrip", 9000), of("pipelined", 3000), of("enqueue", 2000)}) == 3000);
  CHECK(*launch_time({of("parallel_region", 700), of("roundtrip", 9000)}) == 9000);
  CHECK_FALSE(launch_time({of("parallel_region", 700)}).has_value());
}
