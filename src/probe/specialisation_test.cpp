#include "probe/specialisation.hpp"

#include <doctest/doctest.h>

using namespace scoville::probe;

namespace {

/// A square product of this rate, in operations per second.
GemmPoint square(std::string label, double size, double speed) {
  GemmPoint point;
  point.label = std::move(label);
  point.m = point.n = point.k = size;
  point.dtype = "bf16";
  point.hot = Times{};
  point.hot->median = 2 * size * size * size / speed * 1e9;
  return point;
}

}  // namespace

TEST_CASE("shares are of the best beside it: a small size is not blamed for being small") {
  const auto found = gemm_specialisation({square("square", 1000, 100e9), square("off tile", 999, 80e9),
                                          square("off tile", 1001, 50e9), square("square", 4000, 400e9)});
  REQUIRE(found.size() == 1);
  CHECK(found[0].shapes == 2);
  CHECK(found[0].median == doctest::Approx(0.65));  // of 0.8 and 0.5
  CHECK(found[0].p5 == doctest::Approx(0.515));     // 0.5 + 0.05 · 0.3
  CHECK(found[0].worst == "1001 x 1001 x 1001");
}

TEST_CASE("one shape is no distribution; equal rates are 1") {
  CHECK(gemm_specialisation({square("square", 1000, 100e9), square("off tile", 999, 80e9)}).empty());
  const auto same = gemm_specialisation({square("off tile", 1000, 70e9), square("off tile", 1001, 70e9)});
  REQUIRE(same.size() == 1);
  CHECK(same[0].median == doctest::Approx(1));
}

TEST_CASE("attention: heads of 80 among heads of 128") {
  const auto of = [](double head_dim, double kv_heads, double speed) {
    AttentionPoint point;
    point.heads = 8;
    point.kv_heads = kv_heads;
    point.head_dim = head_dim;
    point.query_len = point.kv_len = 64;
    point.dtype = "bf16";
    point.hot = Times{};
    point.hot->median = operations(point) / speed * 1e9;
    return point;
  };
  const auto found = attention_specialisation({of(128, 8, 100e9), of(80, 8, 25e9), of(128, 2, 75e9)});
  REQUIRE(found.size() == 1);
  CHECK(found[0].median == doctest::Approx(0.75));
  CHECK(found[0].least == doctest::Approx(0.25));
  CHECK(found[0].worst == "8 heads of 80, 8 key heads");
}
