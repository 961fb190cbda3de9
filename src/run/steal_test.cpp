#include "run/steal.hpp"

#include <doctest/doctest.h>

namespace scoville::run {

TEST_CASE("steal is its share of all ticks between two readings") {
  const auto before = parse_cpu_ticks("cpu  100 0 100 800 0 0 0 0 0 0\ncpu0 1 2 3\n");
  const auto after = parse_cpu_ticks("cpu  150 0 130 900 0 0 0 20 0 0\n");
  REQUIRE(before.has_value());
  CHECK(before->total == 1000);
  CHECK(steal_share(before, after) == doctest::Approx(0.1));  // 20 of 200
}

TEST_CASE("what is not known stays unknown") {
  CHECK_FALSE(parse_cpu_ticks("intr 1 2 3").has_value());
  CHECK_FALSE(parse_cpu_ticks("cpu  1 x").has_value());
  CHECK_FALSE(steal_share(std::nullopt, CpuTicks{10, 1}).has_value());
}

}  // namespace scoville::run
