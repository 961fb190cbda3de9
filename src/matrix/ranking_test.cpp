#include "matrix/ranking.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace scoville::matrix {
namespace {

// T-MCDA-1 of the reference, computed there with numpy.
const std::vector<double> kWeights{.25, .20, .25, .10, .10, .10};
const Utilities kTable{{.80, .75, .50, .55, 1, 1}, {.70, .70, .85, .65, .40, .60}, {.95, .90, .35, .70, .55, .70}};

doctest::Approx near(double value) { return doctest::Approx(value).epsilon(2e-6); }

std::vector<Arm> arms() {
  return {{"A", kTable[0], {}, {}, ""}, {"B", kTable[1], {}, {}, ""}, {"C", kTable[2], {}, {}, ""}};
}

}  // namespace

TEST_CASE("T-MCDA-1: weighted sum") {
  const auto scores = weighted_sum(kTable, kWeights);
  CHECK(scores[0] == near(0.73));
  CHECK(scores[1] == near(0.6925));
  CHECK(scores[2] == near(0.70));
}

TEST_CASE("T-MCDA-1: TOPSIS turns the order around") {
  const auto closeness = topsis(kTable, kWeights);
  CHECK(closeness[0] == near(0.435518));
  CHECK(closeness[1] == near(0.604800));
  CHECK(closeness[2] == near(0.307217));
}

TEST_CASE("T-MCDA-1: of all 3003 weight vectors A wins 1738") {
  const WinShare wins = win_share(kTable, kWeights);
  CHECK(wins.total == 3003);
  CHECK(wins.wins == std::vector<std::size_t>{1738, 487, 659});
  CHECK(wins.ties == 119);
  CHECK(wins.share(0) == near(0.578755));
}

TEST_CASE("seven weights make 8008 vectors; one of weight 0 is left out of the grid") {
  const Utilities seven{{1, 0, 0, 0, 0, 0, 0}, {0, 1, 1, 1, 1, 1, 1}};
  CHECK(win_share(seven, std::vector<double>{.1, .1, .1, .1, .1, .1, .4}).total == 8008);
  CHECK(win_share(seven, std::vector<double>{.1, 0, .2, .1, .1, .1, .4}).total == 3003);
}

TEST_CASE("T-MCDA-1: where C draws level with A") {
  const auto all = flips(kTable, kWeights);
  std::vector<double> at(6, -1);
  for (const Flip& each : all) {
    if (each.rival == 2) at[each.criterion] = each.at;
  }
  CHECK(at[0] == near(0.375));
  CHECK(at[1] == near(0.333333));
  CHECK(at[2] == near(0.0625));
  CHECK(at[3] == near(0.25));
  CHECK(at[4] == near(0.0357143));
  CHECK(at[5] == -1);  // level at weight 0: less than 1e-12 is none
}

TEST_CASE("the nearest flip is looked for against every rival") {
  const auto all = flips(kTable, kWeights);
  REQUIRE_FALSE(all.empty());
  for (std::size_t i = 1; i < all.size(); ++i) {
    CHECK(std::abs(all[i - 1].at - all[i - 1].weight) <= std::abs(all[i].at - all[i].weight));
  }
  // At each flip the two are level, and everything else keeps its proportions.
  for (const Flip& each : all) {
    double best = 0, rival = 0;
    for (std::size_t k = 0; k < kWeights.size(); ++k) {
      const double weight =
          k == each.criterion ? each.at : kWeights[k] / (1 - kWeights[each.criterion]) * (1 - each.at);
      best += weight * kTable[0][k];
      rival += weight * kTable[each.rival][k];
    }
    CHECK(best == near(rival));
  }
  CHECK(std::any_of(all.begin(), all.end(), [](const Flip& each) { return each.rival == 1; }));
}

TEST_CASE("T-MCDA-1: a quarter more or less of any weight changes nothing") {
  const WeightTrials trials = vary_weights(kTable, kWeights);
  CHECK(trials.total == 12);
  CHECK(trials.changed == 0);
}

TEST_CASE("T-MCDA-1: the ranking is not robust, for two reasons") {
  const auto ranking = rank(arms(), kWeights);
  REQUIRE(ranking);
  CHECK(ranking->best == 0);
  CHECK(ranking->best_by_topsis == 1);
  CHECK(ranking->order() == std::vector<std::size_t>{0, 2, 1});
  CHECK(ranking->robustness.doubts == std::vector<Doubt>{Doubt::methods_disagree, Doubt::small_win_share});
}

TEST_CASE("one that is better in everything is robustly first") {
  const auto ranking = rank({{"A", {.9, .9}, {}, {}, ""}, {"B", {.5, .6}, {}, {}, ""}}, std::vector<double>{.5, .5});
  REQUIRE(ranking);
  CHECK(ranking->robustness.is_robust());
  CHECK(ranking->wins.share(0) == 1);
  CHECK(ranking->flips.empty());
}

TEST_CASE("a lead within the error of measurement is a doubt of its own") {
  const std::vector<double> weights{.5, .5};
  const Arm first{"A", {.8, .8}, {.7, .8}, {.9, .8}, ""};
  CHECK(rank({first, {"B", {.7, .7}, {.6, .7}, {.81, .7}, ""}}, weights)->robustness.doubts ==
        std::vector<Doubt>{Doubt::within_error});  // B up to 0.755, A from 0.75
  CHECK(rank({first, {"B", {.7, .7}, {.6, .7}, {.79, .7}, ""}}, weights)->robustness.is_robust());  // up to 0.745
}

TEST_CASE("who is knocked out is not ranked, and does not stand in the way") {
  std::vector<Arm> all = arms();
  all[1].knocked_out = "no second source";
  const auto ranking = rank(all, kWeights);
  REQUIRE(ranking);
  CHECK(ranking->arms.size() == 2);
  CHECK(ranking->left_out.front().name == "B");
  for (Arm& each : all) each.knocked_out = "x";
  CHECK_FALSE(rank(all, kWeights));
}

}  // namespace scoville::matrix
