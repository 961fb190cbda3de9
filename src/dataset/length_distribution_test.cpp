#include "dataset/length_distribution.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace scoville::dataset {
namespace {

struct Moments {
  double mean, sd;
  std::uint32_t min, max;
};

Moments moments_of(const LengthDistribution& lengths, std::uint32_t floor = 1) {
  constexpr int n = 20000;
  double sum = 0, squares = 0;
  std::uint32_t min = UINT32_MAX, max = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::uint32_t length = lengths.draw(3, 5, i, floor);
    sum += length;
    squares += double(length) * length;
    min = std::min(min, length);
    max = std::max(max, length);
  }
  const double mean = sum / n;
  return {mean, std::sqrt(squares / n - mean * mean), min, max};
}

std::string refusal(const char* text) {
  const auto lengths = parse_lengths(text);
  return lengths.ok() ? "" : lengths.error().message;
}

}  // namespace

TEST_CASE("what is parsed is what is drawn: mean and spread of each kind") {
  // Bounds: four standard errors of 20,000 draws.
  const auto constant = moments_of(*parse_lengths("512"));
  CHECK(constant.min == 512);
  CHECK(constant.max == 512);
  const auto uniform = moments_of(*parse_lengths("uniform:256:1024"));
  CHECK(uniform.min == 256);
  CHECK(uniform.max == 1024);
  CHECK(uniform.mean == doctest::Approx(640).epsilon(0.01));
  CHECK(uniform.sd == doctest::Approx(222).epsilon(0.02));  // √((769² − 1) / 12)
  const auto normal = moments_of(*parse_lengths("normal:512:64"));
  CHECK(normal.mean == doctest::Approx(512).epsilon(0.004));
  CHECK(normal.sd == doctest::Approx(64).epsilon(0.02));
  const auto lognormal = moments_of(*parse_lengths("lognormal:512:256"));
  CHECK(lognormal.mean == doctest::Approx(512).epsilon(0.015));
  CHECK(lognormal.sd == doctest::Approx(256).epsilon(0.06));
}

TEST_CASE("draws below the floor become the floor, and never less than one token") {
  CHECK(moments_of(*parse_lengths("normal:20:50")).min == 1);
  CHECK(moments_of(*parse_lengths("normal:20:50"), 33).min == 33);
}

TEST_CASE("one seed draws the same length for a request, in any order; another seed another one") {
  const auto lengths = *parse_lengths("uniform:1:1000000");
  CHECK(lengths.draw(1, 2, 77) == lengths.draw(1, 2, 77));
  CHECK(lengths.draw(1, 2, 77) != lengths.draw(2, 2, 77));
  CHECK(lengths.draw(1, 2, 77) != lengths.draw(1, 2, 78));
}

TEST_CASE("the text form survives a round trip") {
  for (const char* text : {"512", "uniform:256:1024", "normal:512:64", "lognormal:512:256.5"}) {
    CHECK(parse_lengths(text)->to_string() == text);
  }
}

TEST_CASE("a length that cannot be used is refused with the reason") {
  const std::string form = "write 512, uniform:MIN:MAX, normal:MEAN:SD or lognormal:MEAN:SD";
  CHECK(refusal("") == "cannot use length \"\": " + form);
  CHECK(refusal("abc").ends_with(form));
  CHECK(refusal("uniform:1").ends_with(form));
  CHECK(refusal("uniform:1:2:3").ends_with(form));
  CHECK(refusal("uniform:1:x").ends_with(form));
  CHECK(refusal("poisson:5:5").ends_with(form));
  CHECK(refusal("normal:nan:5").ends_with(form));
  CHECK(refusal("0").ends_with("a whole number from 1 to 100000000"));
  CHECK(refusal("-5").ends_with("a whole number from 1 to 100000000"));
  CHECK(refusal("1.5").ends_with("a whole number from 1 to 100000000"));
  CHECK(refusal("1e12").ends_with("a whole number from 1 to 100000000"));
  CHECK(refusal("uniform:9:3").ends_with("the smallest length is above the largest"));
  CHECK(refusal("normal:512:-1").ends_with("not below 0"));
}

}  // namespace scoville::dataset
