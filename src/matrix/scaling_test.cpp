#include "matrix/scaling.hpp"

#include <doctest/doctest.h>

namespace scoville::matrix {
namespace {

// To the digits that the reference prints.
doctest::Approx near(double value) { return doctest::Approx(value).epsilon(3e-6); }

}  // namespace

TEST_CASE("T-SC-1: efficiency and Karp–Flatt of 1000/1900/3400/5600 on 1/2/4/8 cards") {
  const std::vector<DeviceRate> rates{{1, 1000}, {2, 1900}, {4, 3400}, {8, 5600}};
  const auto points = scaling(rates);
  REQUIRE(points.size() == 4);
  CHECK(points[0].efficiency == 1);
  CHECK_FALSE(points[0].serial_fraction);
  CHECK(points[1].efficiency == near(0.95));
  CHECK(points[2].efficiency == near(0.85));
  CHECK(points[3].efficiency == near(0.70));
  CHECK(*points[1].serial_fraction == near(0.0526316));
  CHECK(*points[2].serial_fraction == near(0.0588235));
  CHECK(*points[3].serial_fraction == near(0.0612245));
}

TEST_CASE("efficiency counts from the fewest cards that hold the model") {
  // 4 cards to 8: twice the cards, 1.8 times the rate.
  const std::vector<DeviceRate> rates{{8, 1800}, {4, 1000}};
  const auto points = scaling(rates);
  REQUIRE(points.size() == 2);
  CHECK(points[0].devices == 4);
  CHECK(points[1].efficiency == near(0.9));
  CHECK(*points[1].serial_fraction == near((1 / 1.8 - 0.5) / 0.5));
}

TEST_CASE("a rate of nothing, or a number of cards twice, scales nothing") {
  CHECK(scaling(std::vector<DeviceRate>{{1, 0}}).empty());
  CHECK(scaling(std::vector<DeviceRate>{{2, 10}, {2, 11}}).empty());
  CHECK(scaling(std::vector<DeviceRate>{{0, 10}}).empty());
}

TEST_CASE("stability arithmetic: what hours without a failure show") {
  CHECK(mtbf_lower_bound(72) == near(24.0342));
  CHECK(mtbf_lower_bound(8 * 72) == near(192.274));
  CHECK(mtbf_lower_bound(64 * 720) == doctest::Approx(15381.9).epsilon(1e-5));
  CHECK(failure_free_hours_for(10'000) == near(29957.3));
}

TEST_CASE("a failure lowers the bound as the Poisson limits of tables do") {
  // Upper 95 % limits of a Poisson mean: 4.74386 for 1 failure, 6.29579 for 2, 16.96222 for 10.
  CHECK(1000 / mtbf_lower_bound(1000, 1) == near(4.74386));
  CHECK(1000 / mtbf_lower_bound(1000, 2) == near(6.29579));
  CHECK(1000 / mtbf_lower_bound(1000, 10) == near(16.96222));
}

}  // namespace scoville::matrix
