#include "stats/pareto.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace scoville::stats {
namespace {

using Points = std::vector<TradeOff>;
const Points kA{{20, 5200}, {40, 4100}, {60, 2900}, {55, 2500}, {90, 1500}, {100, 1500}};
const Points kB{{25, 6000}, {45, 3900}, {70, 2000}, {95, 900}};

}  // namespace

TEST_CASE("T-PF-1: the frontier drops what is beaten") {
  CHECK(frontier(kA) == std::vector<std::size_t>{0, 1, 2, 5});
  CHECK(frontier(kB) == std::vector<std::size_t>{0, 1, 2, 3});
}

TEST_CASE("T-PF-1: who wins depends on x") {
  const std::vector<TradeOff> expected{{25, 1.46341},  {30, 0.951220}, {45, 1.34483},
                                       {50, 0.689655}, {70, 1.33333},  {95, 0.6}};
  for (const TradeOff& row : expected) {
    CAPTURE(row.x);
    CHECK(ratio_at(kA, kB, row.x).value() == doctest::Approx(row.y).epsilon(3e-6));
  }
  CHECK_FALSE(best_at(kB, 100).has_value());
  CHECK_FALSE(ratio_at(kA, kB, 100).has_value());
  CHECK(best_at(kA, 100) == 5);
}

TEST_CASE("T-PF-1: the area under the steps") {
  CHECK(hypervolume(kA).value() == 304'000);
  CHECK(hypervolume(kB).value() == 300'500);
}

TEST_CASE("equal points count once; equal in one, the better in the other stays") {
  CHECK(frontier(Points{{1, 2}, {1, 2}, {1, 3}}) == std::vector<std::size_t>{2});
  CHECK(frontier(Points{{2, 2}, {1, 2}}) == std::vector<std::size_t>{0});
  CHECK(frontier(Points{{5, 5}, {5, 5}}) == std::vector<std::size_t>{0});
  CHECK(frontier({})->empty());
  CHECK(hypervolume({}) == 0);
}

TEST_CASE("a point that is no measurement, or a ratio to nothing: null") {
  CHECK_FALSE(frontier(Points{{1, NAN}}).has_value());
  CHECK_FALSE(best_at(Points{{-1, 2}}, 0).has_value());
  CHECK_FALSE(hypervolume(Points{{INFINITY, 2}}).has_value());
  CHECK_FALSE(best_at(kA, NAN).has_value());
  CHECK_FALSE(ratio_at(Points{{5, 0}}, kB, 5).has_value());
}

}  // namespace scoville::stats
