#include "stats/permutation.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace scoville::stats {
namespace {

using Runs = std::vector<double>;
const Runs kA{10240, 10312, 10198, 10275, 10260};

}  // namespace

TEST_CASE("T-CMP, more on B: 2 of 252 deals are as far apart") {
  CHECK(permutation_p_of_means(kA, Runs{10890, 10755, 10822, 10910, 10801}).value() ==
        doctest::Approx(2.0 / 252).epsilon(1e-12));
}

TEST_CASE("by hand: equal sums count, though their digits differ") {
  // Deals of {1, 2 | 2, 4}: sums of two are 3 3 5 4 6 6, mean 4.5. Seen 3, 1.5 away: 3 3 6 6.
  CHECK(permutation_p_of_means(Runs{1, 2}, Runs{2, 4}).value() == doctest::Approx(4.0 / 6));
  CHECK(permutation_p_of_means(Runs{0.1, 0.2}, Runs{0.2, 0.4}).value() == doctest::Approx(4.0 / 6));
  CHECK(permutation_p_of_means(Runs{0.2, 0.8, 0.9}, Runs{0.2, 0.3, 0.9}) ==
        permutation_p_of_means(Runs{2, 8, 9}, Runs{2, 3, 9}));
  CHECK(permutation_p_of_means(Runs{5, 5}, Runs{5, 5, 5}) == 1);
  // Arms of unequal size: {9} against {1, 2}; only itself is as far from the mean 4.
  CHECK(permutation_p_of_means(Runs{9}, Runs{1, 2}).value() == doctest::Approx(1.0 / 3));
}

TEST_CASE("it weighs by how much, where ranks do not") {
  CHECK(permutation_p_of_means(kA, Runs{10251, 10290, 10230, 10268, 10243}) > 0.9);
  const double p = permutation_p_of_means(Runs{1, 2, 3, 4}, Runs{2.5, 3.5, 4.5, 90}).value();
  CHECK(p > 0.05);
  CHECK(p < 1);
}

TEST_CASE("too many deals, nothing to deal, or no number: null") {
  CHECK(permutation_p_of_means(Runs(11, 1.0), Runs(11, 1.0)) == 1);
  CHECK_FALSE(permutation_p_of_means(Runs(12, 1.0), Runs(12, 1.0)).has_value());
  CHECK_FALSE(permutation_p_of_means({}, kA).has_value());
  CHECK_FALSE(permutation_p_of_means(kA, Runs{NAN}).has_value());
}

}  // namespace scoville::stats
