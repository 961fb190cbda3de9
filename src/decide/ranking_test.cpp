#include "decide/ranking.hpp"

#include <doctest/doctest.h>

#include "decide/made_arm.hpp"

using namespace scoville;
using namespace scoville::decide;

namespace {

Ranking ranked(const std::vector<Arm>& arms) { return rank(arms, check(arms[0], arms[1]), {}); }

}  // namespace

TEST_CASE("arms in the order of what separates, with ties where it does not") {
  const Ranking found =
      ranked({arm_of_tpots("slow", {12.0, 12.1, 11.9, 12.2, 11.8}), arm_of_tpots("good", {10.0, 10.3, 9.9, 10.2, 9.8}),
              arm_of_tpots("also good", {10.05, 10.1, 9.95, 10.25, 9.85})});
  CHECK(found.family == 3);
  CHECK_FALSE(found.is_too_large);
  REQUIRE(found.arms.size() == 3);
  CHECK(found.arms[0].name == "good");
  CHECK(found.arms[0].rank == 1);
  CHECK(found.arms[0].tied == std::vector<std::string>{"also good"});
  CHECK(found.arms[1].name == "also good");
  CHECK(found.arms[1].rank == 1);
  CHECK(found.arms[2].name == "slow");
  CHECK(found.arms[2].rank == 3);
  CHECK(found.arms[2].better == std::vector<std::string>{"good", "also good"});
  CHECK(found.pairs.size() == 3);
  CHECK(found.pairs[0].comparison.ratio->interval->coverage >= 1 - 0.05 / 3);
}

TEST_CASE("more pairs than five runs can serve: nothing separates, and it says why") {
  std::vector<Arm> arms;
  for (int i = 0; i < 5; ++i) {
    const double level = 10 + i;
    arms.push_back(arm_of_tpots(std::to_string(i), {level, level + 0.01, level - 0.01, level + 0.02, level - 0.02}));
  }
  const Ranking found = ranked(arms);  // ten pairs; five runs serve six
  CHECK(found.family == 10);
  CHECK(found.is_too_large);
  for (const Ranked& each : found.arms) CHECK(each.rank == 1);
  CHECK(found.arms[0].name == "0");  // still in the order of their medians
}
