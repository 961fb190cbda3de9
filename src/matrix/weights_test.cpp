#include "matrix/weights.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <set>

namespace scoville::matrix {

TEST_CASE("every way to share the parts is visited once") {
  std::set<std::vector<std::size_t>> seen;
  std::size_t visits = 0;
  for_each_on_simplex(6, 10, [&](const std::vector<std::size_t>& parts) {
    ++visits;
    seen.insert(parts);
    CHECK(std::accumulate(parts.begin(), parts.end(), std::size_t{0}) == 10);
  });
  CHECK(visits == 3003);  // C(15, 5)
  CHECK(seen.size() == 3003);
}

TEST_CASE("a weight that is set leaves the others their proportions") {
  const auto set = with_weight(std::vector<double>{.5, .3, .2}, 0, 0.75);
  CHECK(set[0] == doctest::Approx(0.75));
  CHECK(set[1] == doctest::Approx(0.15));
  CHECK(set[2] == doctest::Approx(0.10));
  const auto alone = with_weight(std::vector<double>{1, 0, 0}, 0, 0.5);
  CHECK(alone[1] == doctest::Approx(0.25));
}

}  // namespace scoville::matrix
