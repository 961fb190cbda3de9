#include "stats/verdict.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "base/rng.hpp"
#include "stats/mann_whitney.hpp"

namespace scoville::stats {
namespace {

using Runs = std::vector<double>;
const Runs kA{10240, 10312, 10198, 10275, 10260};

Verdict verdict_on(const Runs& base, const Runs& other, double margin, Better better = Better::higher) {
  const auto ratio = oriented(*ratio_between(base, other), better);
  return judge(ratio->interval, margin, rank_sum_test(base, other)->p)->verdict;
}

Verdict on(double lower, double upper, double p = 0.01) {
  return judge(CoveredInterval{lower, upper, 0.95}, 0.02, p)->verdict;
}

Runs runs(Rng& rng, double level) {
  Runs values;
  for (int i = 0; i < 5; ++i) values.push_back(level * (1 + 0.008 * rng.normal()));
  return values;
}

}  // namespace

TEST_CASE("T-CMP: the verdicts on four arms") {
  const Runs b{10890, 10755, 10822, 10910, 10801}, d{10420, 10380, 10510, 10340, 10465};
  const Runs c{10310, 10255, 10402, 10188, 10350}, e{10251, 10290, 10230, 10268, 10243};
  CHECK(verdict_on(kA, b, 0.02) == Verdict::faster);
  CHECK(verdict_on(kA, d, 0.02) == Verdict::faster_size_uncertain);
  CHECK(verdict_on(kA, c, 0.02) == Verdict::equivalent);
  CHECK(verdict_on(kA, c, 0.01) == Verdict::inconclusive);
  CHECK(verdict_on(kA, e, 0.02) == Verdict::equivalent);
  CHECK(verdict_on(kA, e, 0.01) == Verdict::equivalent);
}

TEST_CASE("the other way round, and for a latency, the words change sides") {
  const Runs b{10890, 10755, 10822, 10910, 10801}, d{10420, 10380, 10510, 10340, 10465};
  CHECK(verdict_on(b, kA, 0.02) == Verdict::slower);
  CHECK(verdict_on(d, kA, 0.02) == Verdict::slower_size_uncertain);
  CHECK(verdict_on(kA, b, 0.02, Better::lower) == Verdict::slower);
  CHECK(verdict_on(b, kA, 0.02, Better::lower) == Verdict::faster);
}

TEST_CASE("the six verdicts by their interval, margin 2 %") {
  CHECK(on(1.021, 1.05) == Verdict::faster);
  CHECK(on(1.02, 1.05) == Verdict::faster_size_uncertain);
  CHECK(on(1.001, 1.05) == Verdict::faster_size_uncertain);
  CHECK(on(1.001, 1.02) == Verdict::equivalent);
  CHECK(on(1 / 1.02, 1.02) == Verdict::equivalent);
  CHECK(on(0.98, 1.01) == Verdict::inconclusive);  // 0.98 < 1/1.02
  CHECK(on(0.9, 1.1) == Verdict::inconclusive);
  CHECK(on(0.95, 0.999) == Verdict::slower_size_uncertain);
  CHECK(on(0.90, 0.98) == Verdict::slower);
}

TEST_CASE("a difference that the test does not bear is not claimed; equality needs no test") {
  CHECK(on(1.03, 1.05, 0.051) == Verdict::inconclusive);
  CHECK(on(1.001, 1.05, 0.2) == Verdict::inconclusive);
  CHECK(on(0.90, 0.95, 0.2) == Verdict::inconclusive);
  CHECK(on(0.99, 1.01, 0.9) == Verdict::equivalent);
}

TEST_CASE("three and three: too few runs, whatever they say") {
  const auto ratio = ratio_between(Runs{1, 1.1, 1.2}, Runs{5, 6, 7});
  CHECK(judge(ratio->interval, 0.02, 0.1) == Judgement{Verdict::inconclusive, Inconclusive::too_few_runs});
  CHECK(judge(CoveredInterval{0.9, 1.1, 0.95}, 0.02, 0.5)->reason == Inconclusive::not_resolved);
  CHECK(judge(CoveredInterval{1.1, 1.2, 0.95}, 0.02, 0.01)->reason == Inconclusive::none);
}

TEST_CASE("the margin is 2 %, or twice the noise of the machine itself") {
  CHECK(margin_for(std::nullopt) == 0.02);
  CHECK(margin_for(0.00551572) == 0.02);
  CHECK(margin_for(0.015) == 0.03);
  CHECK(margin_for(0.015, kLeastMarginBetweenMachines) == 0.05);
  CHECK_FALSE(margin_for(-0.1).has_value());
  CHECK_FALSE(margin_for(NAN).has_value());
}

TEST_CASE("A/A and power through the whole chain, five runs at a CV of 0.8 %") {
  // False differences: at most the 3.2 % of the test (16 of 500). 8 % better: the interval must clear 2 %, 7 SD away.
  Rng rng(2026);
  int differs = 0, equal = 0, found = 0;
  for (int i = 0; i < 500; ++i) {
    const Runs a = runs(rng, 100);
    const Verdict same = verdict_on(a, runs(rng, 100), 0.02);
    differs += same != Verdict::equivalent && same != Verdict::inconclusive;
    equal += same == Verdict::equivalent;
    found += verdict_on(a, runs(rng, 108), 0.02) == Verdict::faster;
  }
  CHECK(differs <= 28);
  CHECK(equal > 250);
  CHECK(found > 490);
}

TEST_CASE("names, and what cannot be judged") {
  CHECK(name_of(Verdict::faster_size_uncertain) == "faster_size_uncertain");
  CHECK(name_of(Verdict::inconclusive) == "inconclusive");
  CHECK(name_of(Inconclusive::too_few_runs) == "too_few_runs");
  CHECK_FALSE(judge(CoveredInterval{0, 1, 0.95}, 0.02, 0.5).has_value());
  CHECK_FALSE(judge(CoveredInterval{1.2, 1.1, 0.95}, 0.02, 0.5).has_value());
  CHECK_FALSE(judge(CoveredInterval{1, 1.1, 0.95}, -0.02, 0.5).has_value());
  CHECK_FALSE(judge(CoveredInterval{1, 1.1, 0.95}, 0.02, NAN).has_value());
  CHECK_FALSE(oriented(Estimate{0, std::nullopt}, Better::lower).has_value());
}

}  // namespace scoville::stats
