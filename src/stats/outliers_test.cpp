#include "stats/outliers.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "base/rng.hpp"

namespace scoville::stats {

TEST_CASE("by hand: ten deviations out, and not one less") {
  // Median 3; distances 2 1 0 1 and the last: MAD 1. The limit is 17.826.
  CHECK(count_outliers(std::vector<double>{1, 2, 3, 4, 17.8}) == 0);
  CHECK(count_outliers(std::vector<double>{1, 2, 3, 4, 17.9}) == 1);
  CHECK(count_outliers(std::vector<double>{-12, 2, 3, 4, 5}) == 1);
}

TEST_CASE("normal noise has none, whatever its scale; a planted stall is found") {
  Rng rng(9);
  std::vector<double> values;
  for (int i = 0; i < 2'000; ++i) values.push_back(1e-6 * (50 + rng.normal()));
  CHECK(count_outliers(values) == 0);
  values[700] = 65e-6;
  CHECK(count_outliers(values) == 1);
}

TEST_CASE("no spread, no value, no number") {
  CHECK(count_outliers(std::vector<double>{4, 4, 4}) == 0);
  CHECK_FALSE(count_outliers(std::vector<double>{4, 4, 4, 5}).has_value());
  CHECK_FALSE(count_outliers({}).has_value());
  CHECK_FALSE(count_outliers(std::vector<double>{1, NAN}).has_value());
}

}  // namespace scoville::stats
