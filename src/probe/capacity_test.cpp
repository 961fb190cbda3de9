#include "probe/capacity.hpp"

#include <doctest/doctest.h>

namespace scoville::probe {
namespace {

TEST_CASE("the figures of a capacity are read as they were told, and what is null is not known") {
  const auto read = read_capacity({{"nominal_bytes", 80000000000},
                                   {"free_before_bytes", nullptr},
                                   {"largest_single_bytes", 70000000000},
                                   {"total_bytes", 78000000000},
                                   {"pieces", 5},
                                   {"limit", "allocator"}});
  REQUIRE(read);
  CHECK(read->nominal == 80000000000);
  CHECK(!read->free_before);
  CHECK(read->largest_single == 70000000000);
  CHECK(read->total == 78000000000);
  CHECK(read->pieces == 5);
  CHECK(read->limit == "allocator");
}

TEST_CASE("an answer without its two figures, or with figures that are none, is no capacity") {
  CHECK(!read_capacity({}));
  CHECK(!read_capacity({{"largest_single_bytes", 1}}));
  CHECK(!read_capacity({{"largest_single_bytes", "1"}, {"total_bytes", 1}}));
  CHECK(!read_capacity({{"largest_single_bytes", -1}, {"total_bytes", 1}}));
}

}  // namespace
}  // namespace scoville::probe
