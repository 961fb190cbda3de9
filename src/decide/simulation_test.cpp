#include <doctest/doctest.h>

#include "base/rng.hpp"
#include "decide/comparison.hpp"
#include "decide/made_arm.hpp"

using namespace scoville;
using namespace scoville::decide;
using stats::Verdict;

namespace {

std::vector<double> runs(Rng& rng, double mean, double cv) {
  std::vector<double> out;
  for (int i = 0; i < 5; ++i) out.push_back(mean * (1 + cv * rng.normal()));
  return out;
}

MetricComparison of(const std::vector<double>& base, const std::vector<double>& candidate) {
  const Arm a = arm_of_tpots("a", base), b = arm_of_tpots("b", candidate);
  return *compare(a, b, check(a, b)).find("tpot");
}

}  // namespace

// With five runs each the exact test has size 0.0317: of 200, the 99 % interval of a binomial is 1 to 14.
TEST_CASE("A against A by simulation: differences are called as often as the test says, not more") {
  Rng rng(20261130);
  int significant = 0, wrong = 0;
  for (int i = 0; i < 200; ++i) {
    const MetricComparison found = of(runs(rng, 10, 0.005), runs(rng, 10, 0.005));
    significant += *found.p <= 0.05 ? 1 : 0;
    wrong += found.verdict == Verdict::faster || found.verdict == Verdict::slower ? 1 : 0;
  }
  CHECK(significant >= 1);
  CHECK(significant <= 14);
  CHECK(wrong == 0);  // never by more than the margin of 2 %
}

TEST_CASE("a planted slowdown of 3 % at a spread of 0.5 % is found") {
  Rng rng(7);
  int found = 0;
  for (int i = 0; i < 100; ++i) {
    const MetricComparison one = of(runs(rng, 10, 0.005), runs(rng, 10.3, 0.005));
    found += one.verdict == Verdict::slower || one.verdict == Verdict::slower_size_uncertain ? 1 : 0;
  }
  CHECK(found >= 95);
}
