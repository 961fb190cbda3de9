#include "base/rng.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace scoville {
namespace {

struct Moments {
  double mean = 0, variance = 0;
};

template <class Draw>
Moments moments(Draw draw) {
  constexpr int n = 200000;
  double sum = 0, squares = 0;
  for (int i = 0; i < n; ++i) {
    const double x = draw();
    sum += x;
    squares += x * x;
  }
  const double mean = sum / n;
  return {mean, squares / n - mean * mean};
}

}  // namespace

TEST_CASE("the same (seed, stream, index) gives the same numbers, another index others") {
  CHECK(Rng(1, 2, 3)() == Rng(1, 2, 3)());
  CHECK(Rng(1, 2, 3)() != Rng(1, 2, 4)());
  CHECK(Rng(1, 2, 3)() != Rng(1, 3, 2)());
}

TEST_CASE("draws have the moments of their distribution") {
  // 200,000 draws: the standard error of each mean is below 0.005, of each variance below 0.02.
  Rng rng(42);
  const auto uniform = moments([&] { return rng.uniform(); });
  CHECK(uniform.mean == doctest::Approx(0.5).epsilon(0.01));
  CHECK(uniform.variance == doctest::Approx(1.0 / 12).epsilon(0.02));
  const auto exponential = moments([&] { return rng.exponential(); });
  CHECK(exponential.mean == doctest::Approx(1.0).epsilon(0.02));
  CHECK(exponential.variance == doctest::Approx(1.0).epsilon(0.05));
  const auto normal = moments([&] { return rng.normal(); });
  CHECK(std::fabs(normal.mean) < 0.01);
  CHECK(normal.variance == doctest::Approx(1.0).epsilon(0.02));
  for (const double shape : {0.25, 1.0, 4.0}) {  // Gamma(k, 1): mean k, variance k
    const auto gamma = moments([&] { return rng.gamma(shape); });
    CHECK(gamma.mean == doctest::Approx(shape).epsilon(0.02));
    CHECK(gamma.variance == doctest::Approx(shape).epsilon(0.05));
  }
}

TEST_CASE("FNV-1a gives its published value") { CHECK(hash_bytes("foobar") == 0x85944171f73967e8ULL); }

}  // namespace scoville
