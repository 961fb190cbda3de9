#include "stats/ranks.hpp"

#include <doctest/doctest.h>

namespace scoville::stats {

TEST_CASE("equal values share the mean of their ranks") {
  CHECK(mid_ranks(std::vector<double>{30, 10, 20, 10}) == std::vector<double>{4, 1.5, 3, 1.5});
  CHECK(mid_ranks(std::vector<double>{7, 7, 7}) == std::vector<double>{2, 2, 2});
  CHECK(mid_ranks({}).empty());
}

}  // namespace scoville::stats
