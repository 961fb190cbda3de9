#include "workload/prefixes.hpp"

#include <doctest/doctest.h>

namespace scoville::workload {

using Lists = std::vector<std::vector<std::uint64_t>>;

TEST_CASE("what two prompts share is numbered in the order it is met; what one has alone is not") {
  const Lists prompts{{100, 101, 102}, {100, 101, 999}, {100, 555}, {777}};
  CHECK(shared_blocks(prompts) == Lists{{1, 2}, {1, 2}, {1}, {}});
}

TEST_CASE("equal prompts share all their whole blocks") {
  const Lists prompts{{5, 6}, {}, {5, 6}};
  CHECK(shared_blocks(prompts) == Lists{{1, 2}, {}, {1, 2}});
}

}  // namespace scoville::workload
