#include "numerics/tensor_view.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace scoville::numerics {
namespace {

TEST_CASE("halves and bf16, by the layouts of IEEE 754 and of bf16 as the upper half of fp32") {
  CHECK(from_half(0x3c00) == 1);
  CHECK(from_half(0xc000) == -2);
  CHECK(from_half(0x7bff) == 65504);
  CHECK(from_half(0x0001) == std::ldexp(1.0, -24));
  CHECK(std::isinf(from_half(0x7c00)));
  CHECK(std::isnan(from_half(0x7e00)));
  CHECK(from_bf16(0x3f80) == 1);
  CHECK(from_bf16(0xc049) == -3.140625);
}

TEST_CASE("8-bit floats, by the values that the OCP paper lists") {
  CHECK(from_e4m3(0x7e) == 448);
  CHECK(from_e4m3(0xfe) == -448);
  CHECK(from_e4m3(0x08) == std::ldexp(1.0, -6));
  CHECK(from_e4m3(0x01) == std::ldexp(1.0, -9));
  CHECK(std::isnan(from_e4m3(0x7f)));
  CHECK(from_e5m2(0x7b) == 57344);
  CHECK(from_e5m2(0x04) == std::ldexp(1.0, -14));
  CHECK(from_e5m2(0x01) == std::ldexp(1.0, -16));
  CHECK(std::isinf(from_e5m2(0x7c)));
}

TEST_CASE("a tensor is read by its dtype, and one whose bytes do not fit its shape is refused") {
  const std::string two_floats("\x00\x00\x80\x3f\x00\x00\x00\xc0", 8);
  CHECK(*values_of({"F32", {2}, two_floats}) == std::vector<double>{1, -2});
  CHECK(*values_of({"BF16", {2, 2}, two_floats}) == std::vector<double>{0, 1, 0, -2});
  CHECK(*integers_of({"U8", {1, 3}, std::string_view("\x01\x02\xff", 3)}) == std::vector<std::int64_t>{1, 2, 255});
  CHECK(values_of({"F32", {3}, two_floats}).error().message == "3 of F32 in 8 bytes");
  CHECK(values_of({"F3", {2}, two_floats}).error().code == ErrorCode::unsupported);
  CHECK_FALSE(integers_of({"F32", {2}, two_floats}));
  CHECK(shape_words(std::vector<std::int64_t>{2, 16}) == "2 x 16");
}

}  // namespace
}  // namespace scoville::numerics
