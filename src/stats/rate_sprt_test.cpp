#include "stats/rate_sprt.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "base/rng.hpp"

namespace scoville::stats {

// Equal arms, ratio 2: an event of the candidate adds ln(2·2/3) = 0.28768, one of the base ln(2/3) = -0.40547.
// Bounds at 5 % and 20 %: ln(0.8/0.05) = 2.7726, ln(0.2/0.95) = -1.5581.
TEST_CASE("each event moves the sum by its log likelihood ratio, until a bound is met") {
  RateSprt test(2, 0.05, 0.2);
  CHECK(test.add({0, 100}, {1, 100}) == SprtState::goes_on);
  CHECK(test.log_likelihood_ratio() == doctest::Approx(std::log(4.0 / 3)));
  CHECK(test.add({1, 100}, {0, 100}) == SprtState::goes_on);
  CHECK(test.log_likelihood_ratio() == doctest::Approx(std::log(4.0 / 3) + std::log(2.0 / 3)));
  CHECK(test.add({0, 100}, {10, 100}) == SprtState::goes_on);  // 2.7591
  CHECK(test.add({0, 100}, {1, 100}) == SprtState::increased);
  CHECK(test.add({99, 100}, {0, 100}) == SprtState::increased);  // the first decision stands
}

TEST_CASE("events of the base alone soon show that nothing has doubled") {
  RateSprt test(2, 0.05, 0.2);
  CHECK(test.add({3, 100}, {0, 100}) == SprtState::goes_on);  // -1.2164
  CHECK(test.add({1, 100}, {0, 100}) == SprtState::equal);
}

TEST_CASE("a smaller arm is weighed by its requests") {
  RateSprt test(2, 0.05, 0.2);
  test.add({0, 900}, {1, 100});
  CHECK(test.log_likelihood_ratio() == doctest::Approx(std::log(2.0 * 1000 / 1100)));
}

/// Share of `runs` simulated canaries that end with `wanted`: 2,000 requests an arm a look, 60 looks.
double share_of(SprtState wanted, double base, double candidate, int runs) {
  Rng rng(7);
  int seen = 0;
  for (int run = 0; run < runs; ++run) {
    RateSprt test(2, 0.05, 0.2);
    for (int look = 0; look < 60 && test.state() == SprtState::goes_on; ++look) {
      Share b{0, 2000}, c{0, 2000};
      for (int i = 0; i < 2000; ++i) {
        b.events += rng.uniform() < base;
        c.events += rng.uniform() < candidate;
      }
      test.add(b, c);
    }
    seen += test.state() == wanted;
  }
  return static_cast<double>(seen) / runs;
}

// Wald: the rates of both errors are at most about alpha and beta, however often it is looked at.
TEST_CASE("false alarms stay below alpha over sixty looks, and a doubled rate is found") {
  CHECK(share_of(SprtState::increased, 0.001, 0.001, 400) < 0.06);
  CHECK(share_of(SprtState::increased, 0.001, 0.002, 400) > 0.8);
}

}  // namespace scoville::stats
