#include "boxed.hpp"
#include "compare_results.hpp"
#include "observer.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace scoville;
using namespace scoville::torch_probe;

namespace {

std::vector<Argument> described(const std::string& arguments) {
  return *arguments_in(json::parse(arguments).as_array());
}

}  // namespace

TEST_CASE("values come from the seed alone") {
  const auto arguments = described(R"([{"tensor": [3, 4], "dtype": "bf16"}, {"tensor": [5], "values": "positive"}])");
  const auto once = values_of(arguments, 7), again = values_of(arguments, 7), other = values_of(arguments, 8);
  CHECK(once[0].equal(again[0]));
  CHECK_FALSE(once[0].equal(other[0]));
  CHECK((once[0].scalar_type() == at::kBFloat16));
  CHECK(once[1].min().item<double>() >= 0.5);
}

TEST_CASE("ranks have no ties, distinct indices are distinct, one_hot has one 1 a row") {
  const auto values = values_of(described(R"([{"tensor": [4, 128], "dtype": "bf16", "values": "ranks"},
    {"tensor": [13], "dtype": "int64", "values": "distinct", "below": 61}, {"tensor": [3, 9], "values": "one_hot"}])"),
                                1);
  CHECK(values[0].sum(1).eq(128 * 127 / 2.0).all().item<bool>());  // a permutation of 0…127 adds up to this
  CHECK(std::get<0>(at::_unique(values[1])).numel() == 13);
  CHECK(values[2].sum(1).eq(1).all().item<bool>());
}

TEST_CASE("transposed: the same values, not contiguous; also in one dimension") {
  const auto arguments = described(R"([{"tensor": [3, 4], "transposed": true}, {"tensor": [3], "transposed": true}])");
  const auto values = values_of(arguments, 1);
  const auto op = operator_named("aten::add.Tensor");
  REQUIRE(op);
  const auto plain = described(R"([{"tensor": [3], "transposed": true}, {"tensor": [3], "transposed": true}])");
  const Call call = call_with(
      plain, values_of(plain, 1), 2, false, false, [](const at::Tensor& tensor, const TensorSpec&) { return tensor; },
      *op);
  CHECK_FALSE(call.tensors[0][0].is_contiguous());
  CHECK(call.tensors[0][0].equal(values_of(plain, 1)[0]));
  CHECK(call.stack.size() == 3);  // alpha came from the schema
}

TEST_CASE("arguments that the schema does not take are told apart from what a device refuses") {
  const auto arguments = described(R"([{"tensor": [3]}, {"named": "nonsense", "int": 3}])");
  CHECK_THROWS_AS(
      call_with(
          arguments, values_of(arguments, 1), 2, false, false,
          [](const at::Tensor& tensor, const TensorSpec&) { return tensor; }, *operator_named("aten::relu")),
      SchemaMismatch);
  CHECK_FALSE(operator_named("aten::nonsense"));
  CHECK_THROWS_AS(dtype_named("fp31"), std::invalid_argument);
}

TEST_CASE("distance: relative L2 by hand, whole numbers counted, what is not finite counted apart") {
  const at::Tensor right = at::tensor({3.0, 4.0});
  const Distance by = distance({at::tensor({3.0, 4.5})}, {right}, false);
  CHECK(*by.rel_l2 == doctest::Approx(0.1));  // 0.5 of 5
  CHECK(*by.max_abs == doctest::Approx(0.5));
  CHECK(distance({at::tensor({-3.0, 4.0})}, {right}, true).rel_l2 == 0.0);
  CHECK(distance({at::tensor({1, 2, 3})}, {at::tensor({1, 3, 2})}, false).mismatched == 2);
  CHECK(distance({at::tensor({std::nan(""), 4.0})}, {right}, false).nan == 1);
  CHECK(distance({at::zeros({2, 1}, at::kDouble)}, {right}, false).shape_differs);
  CHECK(distance({at::zeros({0})}, {at::zeros({0})}, false).rel_l2 == 0.0);
}

TEST_CASE("kept or dropped: 0 or twice the input, about half of each") {
  const at::Tensor input = at::ones({1000}, at::kDouble);
  at::Tensor result = input * 2;
  result.slice(0, 0, 500).zero_();
  CHECK(distance_kept_or_dropped(result, input).rel_l2 == 0.0);
  CHECK(distance_kept_or_dropped(input, input).rel_l2 > 0.4);
  CHECK(distance_kept_or_dropped(at::zeros_like(input), input).mismatched == 1000);
}

TEST_CASE("the observer sees nothing in operators of the CPU, and counts them") {
  const Observer observer(c10::DeviceType::PrivateUse1);
  const at::Tensor made = at::ones({3}).to(at::kDouble).add(1);
  CHECK(made.sum().item<double>() == 6);
  CHECK(observer.calls() > 3);
  CHECK(observer.seen().empty());
}
