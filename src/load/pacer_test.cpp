#include "load/pacer.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace scoville::load {
namespace {

struct GapMoments {
  double mean = 0, cv = 0;
};

GapMoments gaps(double rate, double burstiness, std::uint64_t seed) {
  plan::Arrivals arrivals;
  arrivals.rate = rate;
  arrivals.burstiness = burstiness;
  arrivals.seed = seed;
  constexpr int n = 100000;
  Pacer pacer(arrivals, n, std::nullopt);
  double sum = 0, squares = 0, before = 0;
  for (int i = 0; i < n; ++i) {
    const double at = to_seconds(pacer.next());
    sum += at - before;
    squares += (at - before) * (at - before);
    before = at;
  }
  const double mean = sum / n;
  return {mean, std::sqrt(squares / n - mean * mean) / mean};
}

}  // namespace

TEST_CASE("gaps have the mean of the rate, and the variation that burstiness asks for") {
  // Gamma of shape b: coefficient of variation 1/√b. 100,000 gaps: the mean's standard error is below 1 %.
  for (const double burstiness : {0.25, 1.0, 4.0}) {
    CAPTURE(burstiness);
    const GapMoments got = gaps(20.0, burstiness, 7);
    CHECK(got.mean == doctest::Approx(0.05).epsilon(0.02));
    CHECK(got.cv == doctest::Approx(1 / std::sqrt(burstiness)).epsilon(0.03));
  }
}

TEST_CASE("arrivals are true draws: the time of the last one differs from seed to seed") {
  // Rescaled gaps would end at exactly N/rate whatever the seed; Poisson arrivals spread by √N/rate.
  CHECK(gaps(20.0, 1.0, 1).mean != gaps(20.0, 1.0, 2).mean);
}

TEST_CASE("constant arrivals are exact multiples of the gap") {
  plan::Arrivals arrivals;
  arrivals.rate = 1000.0;
  arrivals.is_constant = true;
  Pacer pacer(arrivals, 0, std::nullopt);
  for (int i = 0; i < 5; ++i) CHECK(std::abs((pacer.next() - std::chrono::milliseconds(i)).count()) <= 1);
}

TEST_CASE("a linear ramp goes from the first rate to the last over the requests") {
  plan::Arrivals arrivals;
  arrivals.rate = 1.0;
  arrivals.is_constant = true;
  arrivals.ramp_up = plan::RampUp::linear;
  arrivals.ramp_start = 1.0;
  arrivals.ramp_end = 3.0;
  Pacer pacer(arrivals, 3, std::nullopt);  // gaps 1/2 and 1/3 s: rates 1, 2, 3 at requests 0, 1, 2
  CHECK(pacer.next().count() == 0);
  CHECK(to_seconds(pacer.next()) == doctest::Approx(0.5));
  CHECK(to_seconds(pacer.next()) == doctest::Approx(0.5 + 1.0 / 3));
}

}  // namespace scoville::load
