#include "probe/figures.hpp"

#include <doctest/doctest.h>

using namespace scoville;
using namespace scoville::probe;

namespace {

GemmPoint product(double m, double n, double k, std::string dtype, double median_ns) {
  GemmPoint point;
  point.m = m;
  point.n = n;
  point.k = k;
  point.dtype = std::move(dtype);
  point.hot = Times{};
  point.hot->median = median_ns;
  return point;
}

}  // namespace

TEST_CASE("operations, bytes and intensity of a product, by hand") {
  const GemmPoint point = product(2, 3, 5, "bf16", 10);
  CHECK(operations(point) == 60);    // 2 · 2 · 3 · 5
  CHECK(*ideal_bytes(point) == 62);  // 2 (2 · 5 + 5 · 3) + 2 · 2 · 3
  CHECK(*intensity(point) == doctest::Approx(60.0 / 62));
  CHECK(*rate(point) == doctest::Approx(6e9));             // 60 in 10 ns
  CHECK(*ideal_bytes(product(2, 3, 5, "int8", 1)) == 49);  // 25 + 4 · 6: the sums are int32
  CHECK_FALSE(ideal_bytes(product(2, 3, 5, "posit8", 1)).has_value());
}

TEST_CASE("a result that is wrong has no rate") {
  GemmPoint point = product(8, 8, 8, "fp32", 10);
  point.fault = Fault{Reason::wrong_result, ""};
  CHECK_FALSE(rate(point).has_value());
  CHECK(bests({point}).empty());
}

TEST_CASE("the errors that types were measured to give are told apart") {
  // docs/method.md, "Figures of a device"
  CHECK(*precision_like(1e-16, "fp64") == "fp64");
  CHECK(*precision_like(3e-7, "fp32") == "fp32");
  CHECK(*precision_like(2.9e-4, "fp32") == "tf32");
  CHECK(*precision_like(3.6e-4, "fp16") == "fp16");
  CHECK(*precision_like(2.9e-3, "fp32") == "bf16");
  CHECK(*precision_like(2.3e-3, "bf16") == "bf16");
  CHECK(*precision_like(1.0e-2, "int8") == "int8");
  CHECK(*precision_like(1.3e-2, "int8") == "int8");
  CHECK(*precision_like(3.7e-2, "fp8_e4m3") == "fp8_e4m3");
  CHECK(*precision_like(7.5e-2, "fp8_e5m2") == "fp8_e5m2");
  CHECK(*precision_like(0.117, "int8") == "int4");
  CHECK_FALSE(precision_like(0.9, "fp32").has_value());
}

TEST_CASE("fp32 that was computed in less is lower, bf16 that was computed in fp32 higher, garbage wrong") {
  GemmPoint point = product(8, 8, 8, "fp32", 10);
  CHECK(precise(point) == Precise::unknown);
  point.rel_l2 = 2.9e-4;
  CHECK(precise(point) == Precise::lower);
  point.rel_l2 = 3e-7;
  CHECK(precise(point) == Precise::as_asked);
  point.dtype = "bf16";
  CHECK(precise(point) == Precise::higher);
  point.rel_l2 = 1.4;
  CHECK(precise(point) == Precise::wrong);
}

TEST_CASE("the best is of each type, and never one whose numbers are wrong") {
  GemmPoint wrong = product(100, 100, 100, "fp32", 1);
  wrong.rel_l2 = 1;
  const auto best = bests(
      {product(100, 100, 100, "fp32", 20), product(10, 10, 10, "fp32", 10), wrong, product(100, 100, 100, "bf16", 5)});
  REQUIRE(best.size() == 2);
  CHECK(best[0].rate == doctest::Approx(1e14));  // 2e6 in 20 ns
  CHECK(best[1].dtype == "bf16");
}

TEST_CASE("the memory's bandwidth is that of the largest arrays: smaller ones lie in caches") {
  BandwidthPoint cached, memory, slower;
  cached.array_bytes = 1000;
  cached.moved_bytes = 3000;
  memory.array_bytes = slower.array_bytes = 1e6;
  memory.moved_bytes = 3e6;
  slower.moved_bytes = 1e6;
  for (BandwidthPoint* each : {&cached, &memory, &slower}) each->hot = Times{};
  cached.hot->median = 10;
  memory.hot->median = slower.hot->median = 1e5;
  CHECK(*memory_rate({cached, slower, memory}) == doctest::Approx(30e9));
  CHECK_FALSE(memory_rate({}).has_value());
}

TEST_CASE("half of causal attention is not computed") {
  AttentionPoint point;
  point.heads = 2;
  point.head_dim = 8;
  point.query_len = point.kv_len = 4;
  CHECK(operations(point) == 1024);  // 4 · 2 · 4 · 4 · 8
  point.is_causal = true;
  CHECK(operations(point) == 512);
  point.query_len = 1;
  CHECK(operations(point) == 256);  // a new token sees all of them
}
