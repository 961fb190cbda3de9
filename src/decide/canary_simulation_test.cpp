#include <doctest/doctest.h>

#include <cmath>

#include "base/rng.hpp"
#include "decide/canary.hpp"

// How often a canary errs, by simulation with seeds: many days of two fleets, drawn anew each time.

namespace scoville::decide {
namespace {

using namespace std::chrono_literals;

/// A count of events in n requests: Poisson by sums of exponentials, which rare events are.
double events(Rng& rng, double mean) {
  double at = rng.exponential(), out = 0;
  for (; at < mean; at += rng.exponential()) ++out;
  return out;
}

FleetSeries drawn(Rng& rng, double error_rate) {
  constexpr double kRequests = 2500;
  FleetSeries out;
  out.failed.emplace();
  for (int i = 0; i <= 48; ++i) {
    out.at.push_back(30min * i);
    out.requests.push_back(i * kRequests);
    out.failed->push_back(i == 0 ? 0 : out.failed->back() + events(rng, kRequests * error_rate));
  }
  return out;
}

/// Shares of 400 canaries that end so.
struct Shares {
  double go_on = 0, roll_back = 0;
};
Shares simulate(SequentialTest test, double base, double candidate) {
  constexpr int kRuns = 400;
  Rng rng(11);
  CanaryPlan plan;
  plan.test = test;
  Shares out;
  for (int i = 0; i < kRuns; ++i) {
    FleetSeries control = drawn(rng, base), tried = drawn(rng, candidate);
    const Canary seen = judge_canary({"x", std::move(control), std::move(tried), {}}, plan);
    out.go_on += seen.verdict == CanaryVerdict::go_on;
    out.roll_back += seen.verdict == CanaryVerdict::roll_back;
  }
  out.go_on /= kRuns, out.roll_back /= kRuns;
  return out;
}

}  // namespace

// Bonferroni and Wald both promise at most 5 % over all looks; 400 runs add a sampling error of 1.1 points.
TEST_CASE("equal fleets are rolled back in at most one of twenty canaries, and mostly go on") {
  for (const SequentialTest test : {SequentialTest::looks, SequentialTest::sprt}) {
    CAPTURE(name_of(test));
    const Shares seen = simulate(test, 0.001, 0.001);
    CHECK(seen.roll_back <= 0.05);
    CHECK(seen.go_on >= 0.8);
  }
}

TEST_CASE("a fleet worse by the margin goes on in at most one of twenty canaries") {
  for (const SequentialTest test : {SequentialTest::looks, SequentialTest::sprt}) {
    CAPTURE(name_of(test));
    CHECK(simulate(test, 0.001, 0.002).go_on <= 0.065);
  }
}

TEST_CASE("three times the errors are rolled back nearly always") {
  for (const SequentialTest test : {SequentialTest::looks, SequentialTest::sprt}) {
    CAPTURE(name_of(test));
    CHECK(simulate(test, 0.001, 0.003).roll_back >= 0.95);
  }
}

}  // namespace scoville::decide
