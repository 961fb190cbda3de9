#include "matrix/estimate.hpp"

#include <doctest/doctest.h>

namespace scoville::matrix {
namespace {

Target at_least(double least) {
  Target out;
  out.least = least;
  return out;
}
Target at_most(double most) {
  Target out;
  out.most = most;
  return out;
}
Estimate between(double low, double value, double high, std::size_t n = 5) {
  Estimate out;
  out.low = low;
  out.value = value;
  out.high = high;
  out.n = n;
  return out;
}

}  // namespace

TEST_CASE("the verdict comes from the interval, not from the point") {
  // The example of the method: a score ratio of 0.994 within [0.987, 1.001] does not show 99 %.
  CHECK(judge(between(0.987, 0.994, 1.001, 1319), at_least(0.99)) == Verdict::inconclusive);
  CHECK(judge(between(0.991, 0.994, 1.001), at_least(0.99)) == Verdict::pass);
  CHECK(judge(between(0.970, 0.980, 0.989), at_least(0.99)) == Verdict::fail);
  CHECK(judge(between(180, 190, 199), at_most(200)) == Verdict::pass);
  CHECK(judge(between(180, 190, 201), at_most(200)) == Verdict::inconclusive);
  CHECK(judge(between(201, 210, 220), at_most(200)) == Verdict::fail);
}

TEST_CASE("both ends of a target belong to it") {
  Target both;
  both.least = 1;
  both.most = 2;
  CHECK(judge(between(1, 1.5, 2), both) == Verdict::pass);
  CHECK(judge(between(0.5, 1.5, 1.9), both) == Verdict::inconclusive);
  CHECK(judge(between(2.1, 2.5, 3), both) == Verdict::fail);
}

TEST_CASE("without an interval nothing is told, unless the value is counted") {
  Estimate crashes;
  crashes.value = 0;
  CHECK(assess(crashes, at_most(0)) == Judgement{Verdict::inconclusive, Reason::no_interval, {}});
  crashes.is_exact = true;
  CHECK(judge(crashes, at_most(0)) == Verdict::pass);
  crashes.value = 1;
  CHECK(judge(crashes, at_most(0)) == Verdict::fail);
}

TEST_CASE("a bound alone tells on its own side only") {
  Estimate bound;
  bound.low = 1923;
  CHECK(judge(bound, at_least(1000)) == Verdict::pass);
  CHECK(judge(bound, at_most(1000)) == Verdict::fail);
  CHECK(judge(bound, at_least(3000)) == Verdict::inconclusive);
}

TEST_CASE("no data, no target and two units are not the same doubt") {
  CHECK(assess({}, at_least(1)) == Judgement{Verdict::untested, Reason::no_data, {}});
  CHECK(assess(between(1, 2, 3), {}) == Judgement{Verdict::inconclusive, Reason::no_target, {}});
  Estimate in_seconds = between(1, 2, 3);
  in_seconds.unit = "s";
  Target in_millis = at_most(5);
  in_millis.unit = "ms";
  CHECK(assess(in_seconds, in_millis).reason == Reason::units_differ);
}

TEST_CASE("too few runs or requests say how many there should be") {
  Target target = at_most(200);
  target.least_n = 4;
  CHECK(assess(between(100, 110, 120, 3), target) == Judgement{Verdict::inconclusive, Reason::too_few_runs, 4});
  target.least_samples = 662;
  Estimate tail = between(100, 110, 120, 5);
  tail.samples = 200;
  CHECK(assess(tail, target) == Judgement{Verdict::inconclusive, Reason::too_few_samples, 662});
  tail.samples = 662;
  CHECK(judge(tail, target) == Verdict::pass);
}

TEST_CASE("runs needed: the half interval has to shrink to the distance from the target, with the root of n") {
  // 0.994 − 0.987 = 0.007 has to become 0.004: 1319 · (7/4)² = 4039.4…, rounded up.
  const Judgement judged = assess(between(0.987, 0.994, 1.001, 1319), at_least(0.99));
  CHECK(judged.needed == 4040);
  CHECK_FALSE(assess(between(0.9, 1.0, 1.1), at_least(1.0)).needed);  // the value is the target: no number would do
}

TEST_CASE("the worst of several decides: fail, untested, inconclusive, pass") {
  CHECK(worse(Verdict::pass, Verdict::inconclusive) == Verdict::inconclusive);
  CHECK(worse(Verdict::untested, Verdict::inconclusive) == Verdict::untested);
  CHECK(worse(Verdict::untested, Verdict::fail) == Verdict::fail);
  CHECK(worse(Verdict::pass, Verdict::pass) == Verdict::pass);
}

}  // namespace scoville::matrix
