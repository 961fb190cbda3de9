#include "matrix/ahp.hpp"

#include <doctest/doctest.h>

namespace scoville::matrix {

TEST_CASE("T-AHP-1: weights, eigenvalue and consistency") {
  const auto found = ahp_weights({{1, 3, 5}, {1.0 / 3, 1, 2}, {0.2, 0.5, 1}});
  REQUIRE(found);
  CHECK(found->weights[0] == doctest::Approx(0.648329).epsilon(1e-6));
  CHECK(found->weights[1] == doctest::Approx(0.229651).epsilon(2e-6));
  CHECK(found->weights[2] == doctest::Approx(0.122020).epsilon(2e-6));
  CHECK(found->lambda == doctest::Approx(3.00369460).epsilon(1e-8));
  // (3.00369460 − 3) / 2 / 0.58: the reference prints 0.00318500.
  CHECK(found->consistency == doctest::Approx(0.00318500).epsilon(1e-5));
  CHECK(found->is_consistent());
}

TEST_CASE("judgements that go in a circle are not consistent") {
  const auto found = ahp_weights({{1, 5, 0.2}, {0.2, 1, 5}, {5, 0.2, 1}});
  REQUIRE(found);
  CHECK(found->consistency > 0.1);
}

TEST_CASE("what is no table of judgements gives no weights") {
  CHECK_FALSE(ahp_weights({{1}}));
  CHECK_FALSE(ahp_weights({{1, 3}, {3, 1}}));
  CHECK_FALSE(ahp_weights({{1, 3}, {1.0 / 3}}));
  CHECK_FALSE(ahp_weights({{1, -2}, {-0.5, 1}}));
  CHECK_FALSE(ahp_weights({{2, 1}, {1, 1}}));
}

}  // namespace scoville::matrix
