#include "stats/subset_sums.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace scoville::stats {
namespace {

using Weights = std::vector<std::size_t>;

}  // namespace

TEST_CASE("two of the weights 1, 2, 2, 4: six choices, counted by hand") {
  // 3 3 5 4 6 6
  const std::vector<double> expected{0, 0, 0, 2, 1, 1, 2, 0, 0, 0};
  const auto sums = sums_of_choices(Weights{1, 2, 2, 4}, 2);
  REQUIRE(sums.size() == expected.size());
  for (std::size_t s = 0; s < sums.size(); ++s) CHECK(sums[s] == doctest::Approx(expected[s] / 6));
  CHECK(sums_of_choices(Weights{3, 1}, 0)[0] == 1);
  CHECK(sums_of_choices(Weights{3, 1}, 2)[4] == 1);
}

TEST_CASE("coins on the weights 1, 2, 3: eight throws") {
  CHECK(sums_of_coins(Weights{1, 2, 3}) == std::vector<double>{.125, .125, .125, .25, .125, .125, .125});
  CHECK(sums_of_coins({}) == std::vector<double>{1});
}

TEST_CASE("the rank whose tail is just allowed") {
  const std::vector<double> distribution{.125, .125, .125, .25, .125, .125, .125};
  double reached = -1;
  CHECK(largest_rank_below(distribution, 0.1, reached) == 0);
  CHECK(reached == 0);
  CHECK(largest_rank_below(distribution, 0.25, reached) == 2);
  CHECK(reached == 0.25);
  CHECK(largest_rank_below(distribution, 1, reached) == 7);
}

TEST_CASE("both tails count what is as far from the centre as the observed, also where it lies between") {
  const std::vector<double> distribution{.125, .125, .125, .25, .125, .125, .125};
  CHECK(both_tails(distribution, 1, 6) == 0.5);
  CHECK(both_tails(distribution, 5, 6) == 0.5);
  CHECK(both_tails(distribution, 3, 6) == 1);
  CHECK(both_tails(std::vector<double>{.5, .25, .25}, 0, 3) == 0.5);
}

TEST_CASE("a hundred of two hundred still add up to 1") {
  double total = 0;
  for (const double p : sums_of_choices(Weights(200, 1), 100)) total += p;
  CHECK(total == doctest::Approx(1));
}

}  // namespace scoville::stats
