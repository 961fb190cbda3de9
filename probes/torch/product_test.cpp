#include <cmath>
#include <limits>

#include "attend.hpp"
#include "explain.hpp"
#include "named_call.hpp"
#include "product.hpp"
#include "tensors.hpp"
#include "testing.hpp"
#include "trouble.hpp"

namespace scoville::torch_probe {
namespace {

at::Tensor numbers(std::initializer_list<double> list, at::ScalarType type = at::kDouble) {
  return at::tensor(std::vector<double>(list), at::kDouble).to(type);
}

TEST_CASE("equal seeds draw equal numbers, and other seeds others") {
  const at::Tensor one = gaussian({1000}, 7);
  CHECK(at::equal(one, gaussian({1000}, 7)));
  CHECK(!at::equal(one, gaussian({1000}, 8)));
  CHECK(one.std().item<double>() == doctest::Approx(1).epsilon(0.1));
}

TEST_CASE("what no kernel wrote is counted, for real and for whole numbers") {
  for (const at::ScalarType type : {at::kFloat, at::kBFloat16, at::kInt}) {
    at::Tensor output = at::empty({3, 4}, type);
    poison(output);
    CHECK(count_poison(output) == 12);
    output[1].fill_(0);
    CHECK(count_poison(output) == 8);
  }
}

TEST_CASE("a difference is its root of squares over the reference's, in parts as in one") {
  Difference difference;
  difference.add(numbers({3, 4.5}), numbers({3, 4}));
  // 0.5 / 5
  CHECK(difference.rel_l2() == doctest::Approx(0.1));
  difference.add(numbers({12 - 1.2}), numbers({12}));
  // √(0.25 + 1.44) / 13 = 1.3 / 13
  CHECK(difference.rel_l2() == doctest::Approx(0.1));
  CHECK(difference.max_abs == doctest::Approx(1.2));
  CHECK(difference.is_finite);
  difference.add(numbers({std::nan("")}), numbers({1}));
  CHECK(!difference.is_finite);
}

TEST_CASE("a row as eight bits has its largest element at 127") {
  const Quantized made = quantize_rows(numbers({1, -2, 0.5, 10, 0, 5}, at::kFloat).view({2, 3}));
  CHECK(made.scales[0].item<double>() == doctest::Approx(2.0 / 127));
  CHECK(made.values[0][1].item<int>() == -127);
  CHECK(made.values[0][0].item<int>() == 64);  // 63.5, to even
  CHECK(made.values[1][0].item<int>() == 127);
}

TEST_CASE("a product in fp32 errs by some 3e-7 and one in bf16 by some 2.9e-3, and nothing stays poison") {
  for (const auto& [precision, low, high] :
       {std::tuple{Precision::fp32, 3e-8, 1e-6}, std::tuple{Precision::bf16, 2e-3, 4e-3}}) {
    const Product product({40, 300, 500, 1}, precision, at::kCPU, 3);
    CHECK(count_poison(product.output()) == 40 * 300);
    product.call();
    CHECK(count_poison(product.output()) == 0);
    CHECK(product.difference().rel_l2() > low);
    CHECK(product.difference().rel_l2() < high);
  }
}

TEST_CASE("a wrong element in a batch is found") {
  const Product product({4, 5, 6, 3}, Precision::fp64, at::kCPU, 3);
  product.call();
  CHECK(product.difference().rel_l2() < 1e-14);
  product.output()[2][3][4].add_(100);
  CHECK(product.difference().rel_l2() > 1);
  CHECK(product.difference().max_abs == doctest::Approx(100));
}

TEST_CASE("fp32 products stay as precise as they were before") {
  const std::string before = float32_precision();
  {
    const Float32Precision scope(/*is_tf32=*/true);
    CHECK(float32_precision() == "high");
  }
  CHECK(float32_precision() == before);
}

TEST_CASE("one query over two keys, by hand") {
  // q = (2), k = (0, ln 3 / 2): scores 0 and ln 3, weights 1/4 and 3/4; v = (4, 8): 1 + 6.
  const auto one = [](std::initializer_list<double> list, std::int64_t length) {
    return numbers(list).view({1, 1, length, 1});
  };
  const at::Tensor seen = scaled_dot_product(one({2}, 1), one({0, std::log(3.0) / 2}, 2), one({4, 8}, 2));
  CHECK(seen.item<double>() == doctest::Approx(7));
}

TEST_CASE(
    "attention with fewer key heads and a late mask agrees with double precision, and its check finds a wrong head") {
  AttentionShape shape{2, 4, 2, 16, 5, 9, true};
  Attend attend(shape, at::kDouble, at::kCPU, 1);
  attend.call();
  CHECK(attend.difference().rel_l2() < 1e-12);
  attend.output()[1][3].zero_();
  CHECK(attend.difference().rel_l2() > 0.1);
}

TEST_CASE("an operator that this build lacks is absent, not unsupported") {
  CHECK(has_operator("aten::add", "Tensor"));
  CHECK(!has_operator("aten::add", "Nobody"));
  try {
    NamedCall("aten::no_such_operator", "", {});
    FAIL("nothing was thrown");
  } catch (const std::exception& thrown) {
    CHECK(explain(thrown).reason == probe::Reason::absent_in_torch);
  }
}

TEST_CASE("an operator called by name takes its arguments by name, and its defaults") {
  const at::Tensor sum =
      NamedCall("aten::add", "Tensor", {numbers({1, 2}), numbers({10, 20})}, {{"alpha", 3}}).tensor();
  CHECK(at::equal(sum, numbers({31, 62})));
}

}  // namespace
}  // namespace scoville::torch_probe
