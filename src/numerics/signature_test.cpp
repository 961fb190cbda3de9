#include "numerics/signature.hpp"

#include <doctest/doctest.h>

#include "numerics/made_product.hpp"

namespace scoville::numerics {
namespace {

Distance against_exact(const std::vector<double>& test) { return distance(made_product(exact), test, {}); }

TEST_CASE(
    "products in lower precisions have the relative L2 that was measured on libtorch and oneDNN, and are named by it") {
  // The column "GEMM relL2" of docs/formats/baseline.md; K does not matter.
  struct Case {
    double (*rounded)(double);
    double expected;
    Look look;
    Precision precision;
  };
  for (const Case& each :
       {Case{as_fp16, 3.6e-4, Look::tf32_or_fp16, Precision::fp16}, Case{as_bf16, 2.9e-3, Look::bf16, Precision::bf16},
        Case{as_e4m3, 3.7e-2, Look::fp8_e4m3, Precision::fp8_e4m3},
        Case{as_e5m2, 7.5e-2, Look::fp8_e5m2, Precision::fp8_e5m2}}) {
    CAPTURE(name_of(each.look));
    const Distance d = against_exact(made_product(each.rounded));
    CHECK(*d.rel_l2 == doctest::Approx(each.expected).epsilon(0.35));
    CHECK(look_of(d) == each.look);
    CHECK(passes(d, tolerance_of(each.precision)));
    CHECK_FALSE(passes(d, tolerance_of(Precision::fp32)));
  }
}

TEST_CASE("fp32 looks like fp32, and no difference like none") {
  CHECK(look_of(against_exact(made_product(as_fp32))) == Look::fp32);
  CHECK(look_of(against_exact(made_product(exact))) == Look::none);
}

TEST_CASE("int8 weights, rounded to 127 steps of each row's largest, look like int8") {
  std::vector<double> r = made_product(exact), t = r;  // 24 rows of Gaussian-like values: step = largest / 127
  for (std::size_t row = 0; row < 24; ++row) {
    double largest = 0;
    for (std::size_t i = 0; i < 24; ++i) largest = std::max(largest, std::abs(t[row * 24 + i]));
    for (std::size_t i = 0; i < 24; ++i)
      t[row * 24 + i] = std::nearbyint(t[row * 24 + i] / largest * 127) * largest / 127;
  }
  CHECK(look_of(distance(r, t, {})) == Look::int8);
}

TEST_CASE("one wrong element among right ones is a fault of few elements, and passes no tolerance of bf16") {
  std::vector<double> test = made_product(as_bf16, 64, 64, 64);
  const std::vector<double> reference = made_product(exact, 64, 64, 64);
  test[100] += 24;  // rms is √64 = 8: three times that, and 3/√4096 = 4.7e-2 of relative L2
  const Distance d = distance(reference, test, {});
  CHECK(look_of(d) == Look::few_elements);
  CHECK_FALSE(passes(d, tolerance_of(Precision::bf16)));
  test[100] -= 20;  // half the rms: 0.5/64 = 8e-3 of relative L2, which bf16 alone would let pass
  const Distance small = distance(reference, test, {});
  CHECK(*small.rel_l2 < tolerance_of(Precision::bf16).rel_l2);
  CHECK_FALSE(passes(small, tolerance_of(Precision::bf16)));
}

TEST_CASE("a factor on all values is no rounding, whatever its size") {
  std::vector<double> test = made_product(exact);
  for (double& each : test) each *= 1.003;  // the size of bf16's error
  CHECK(look_of(against_exact(test)) == Look::systematic);
}

TEST_CASE("nor is a factor on one of two terms that were added") {
  std::vector<double> reference = made_product(exact), test = reference;
  const std::vector<double> other = made_product(exact, 24, 128, 24);  // of 1/√2 the size
  for (std::size_t i = 0; i < test.size(); ++i) {
    reference[i] += other[i];
    test[i] += 1.1 * other[i];
  }
  CHECK(look_of(distance(reference, test, {})) == Look::systematic);
}

TEST_CASE("noise larger than any precision's is wrong; NaN is its own fault; zeros as reference tell nothing") {
  std::vector<double> test = made_product(exact);
  Rng random(3);
  for (double& each : test) each += 16 * random.normal();  // as large as the values
  CHECK(look_of(against_exact(test)) == Look::wrong);
  test[0] = std::nan("");
  CHECK(look_of(against_exact(test)) == Look::not_finite);
  CHECK(look_of(distance(std::vector<double>(8), std::vector<double>(8, 1.0), {})) == Look::unknown);
}

TEST_CASE("the format in which a tensor was rounded last is told by its values") {
  CHECK(format_of(made_product(as_bf16)) == Precision::bf16);
  CHECK(format_of(made_product(as_fp16)) == Precision::fp16);
  CHECK(format_of(made_product(as_fp32)) == Precision::fp32);
  CHECK_FALSE(format_of(made_product(exact)));
  CHECK_FALSE(format_of(std::vector<double>(4)));
  CHECK(format_of(std::vector<double>{65504.0 * 4}) == Precision::fp32);  // beyond fp16's largest, too fine for bf16
}

TEST_CASE("the coarser precision bounds a difference, and names lead back") {
  CHECK(lower_of(Precision::fp32, Precision::bf16) == Precision::bf16);
  CHECK(lower_of(Precision::fp16, Precision::fp32) == Precision::fp16);
  for (const Tolerance& each : kTolerances) {
    CHECK(precision_named(each.name) == each.precision);
    CHECK(&tolerance_of(each.precision) == &each);
  }
  CHECK_FALSE(precision_named("fp31"));
}

}  // namespace
}  // namespace scoville::numerics
