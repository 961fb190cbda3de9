#include "decide/canary.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace scoville::decide {
namespace {

using namespace std::chrono_literals;

/// A fleet that serves `per_scrape` requests an hour, with these errors and late first tokens in each.
FleetSeries fleet(std::size_t scrapes, double per_scrape, double errors, double late, Nanos apart = 1h) {
  FleetSeries out;
  out.failed.emplace();
  auto& buckets = out.buckets[FleetLatency::ttft];
  for (std::size_t i = 0; i < scrapes; ++i) {
    const auto n = static_cast<double>(i);
    out.at.push_back(apart * static_cast<std::int64_t>(i));
    out.requests.push_back(n * per_scrape);
    out.failed->push_back(n * errors);
    buckets[2].push_back(n * (per_scrape - errors - late));
    buckets[std::numeric_limits<double>::infinity()].push_back(n * (per_scrape - errors));
  }
  return out;
}

CanaryPlan plan_with_slo() {
  CanaryPlan out;
  out.slos = {{FleetLatency::ttft, 2s}};
  return out;
}

FleetPair pair_of(FleetSeries base, FleetSeries candidate) { return {"x", std::move(base), std::move(candidate), {}}; }

}  // namespace

// requests_per_arm(0.1 %, 0.2 %, 5 % / 5, 80 %): a fifth of alpha at each look takes more than the 18,519 of one look.
TEST_CASE("the plan is as large as its hungriest test, each look with its share of alpha") {
  CanaryPlan plan = plan_with_slo();
  plan.looks = 1;
  CHECK(planned_requests(plan) == 18519);
  plan.expected_errors = 0.005, plan.error_margin = 0.005;
  CHECK(planned_requests(plan) == 6426);  // now the SLO's
  plan.looks = 5;
  CHECK(planned_requests(plan) > 6426);
}

TEST_CASE("equal fleets go on after a day, to the next step") {
  CanaryPlan plan = plan_with_slo();
  const Canary seen = judge_canary(pair_of(fleet(25, 2000, 2, 60), fleet(25, 2000, 2, 60)), plan);
  CHECK(seen.verdict == CanaryVerdict::go_on);
  CHECK(seen.next_step == 5);
  plan.step = 25;
  CHECK_FALSE(judge_canary(pair_of(fleet(25, 2000, 2, 60), fleet(25, 2000, 2, 60)), plan).next_step.has_value());
}

TEST_CASE("before a day is over nothing goes on, however good it looks") {
  const Canary seen = judge_canary(pair_of(fleet(13, 4000, 4, 80), fleet(13, 4000, 4, 80)), plan_with_slo());
  CHECK(seen.verdict == CanaryVerdict::keep_watching);
  CHECK(seen.reason == CanaryReason::too_short);
}

TEST_CASE("errors doubled and shown roll back, at once") {
  const Canary seen = judge_canary(pair_of(fleet(9, 2000, 2, 60), fleet(9, 2000, 10, 60)), plan_with_slo());
  CHECK(seen.verdict == CanaryVerdict::roll_back);
  CHECK(seen.reason == CanaryReason::worse);
  CHECK(seen.tests.front().state == TestState::worse);
}

TEST_CASE("errors that come after the candidate was found not inferior still roll back") {
  FleetSeries tried = fleet(25, 4000, 4, 80);
  for (std::size_t i = 0; i < tried.size(); ++i) {
    if (i > 4) (*tried.failed)[i] += 20 * static_cast<double>(i - 4);  // from the fifth hour on
  }
  const FleetPair fleets = pair_of(fleet(25, 4000, 4, 80), tried);
  CHECK(judge_canary(pair_of(fleet(5, 4000, 4, 80), fleet(5, 4000, 4, 80)), CanaryPlan{}).tests[0].state ==
        TestState::not_inferior);
  CHECK(judge_canary(fleets, CanaryPlan{}).reason == CanaryReason::worse);
}

// 3 against 15 in 24,000: 0.05 points, half of the margin, but five times as many; p = 0.0023.
TEST_CASE("errors twice as many roll back, however few they are") {
  CanaryPlan plan;
  plan.looks = 1;
  const Canary seen = judge_canary(pair_of(fleet(13, 2000, 0.25, 0), fleet(13, 2000, 1.25, 0)), plan);
  CHECK(seen.tests[0].state == TestState::worse);
}

// 48,000 planned or so, 4,000 an hour: the look that decides is made long before the last scrape.
TEST_CASE("a look keeps the counts that its p values are of") {
  const CanaryPlan plan;
  const Canary seen = judge_canary(pair_of(fleet(25, 4000, 4, 80), fleet(25, 4000, 4, 80)), plan);
  const CanaryTest& errors = seen.tests[0];
  REQUIRE(errors.look.has_value());
  CHECK(errors.state == TestState::not_inferior);
  CHECK(errors.look->base.trials < errors.base.trials);
  CHECK(*errors.look->noninferior_p == *stats::noninferior_p(errors.look->base, errors.look->candidate, errors.margin));
  CHECK(*errors.look->worse_p == *stats::worse_p(errors.look->base, errors.look->candidate));
  CHECK(errors.look->number <= seen.looks_made);
  FleetSeries tried = fleet(25, 4000, 4, 80);  // found not inferior first, worse later: the later look is the one
  for (std::size_t i = 5; i < tried.size(); ++i) (*tried.failed)[i] += 20 * static_cast<double>(i - 4);
  const CanaryTest worse = judge_canary(pair_of(fleet(25, 4000, 4, 80), tried), plan).tests[0];
  CHECK(worse.state == TestState::worse);
  CHECK(worse.look->number > errors.look->number);
  CHECK(*worse.look->worse_p <= plan.alpha / static_cast<double>(plan.looks));
}

TEST_CASE("attainment that falls by more than the margin rolls back") {
  const Canary seen = judge_canary(pair_of(fleet(25, 2000, 2, 100), fleet(25, 2000, 2, 160)), plan_with_slo());
  CHECK(seen.reason == CanaryReason::worse);
  CHECK(seen.tests[1].state == TestState::worse);
  CHECK(seen.tests[0].state != TestState::worse);
}

// Planned for five looks at 1 % each, 80 %: 0.1 → 0.2 %; the next look is due at a fifth of that.
TEST_CASE("with too few requests it says how many more until the next look") {
  const CanaryPlan plan = plan_with_slo();
  const Canary seen = judge_canary(pair_of(fleet(3, 100, 0, 3), fleet(3, 100, 0, 3)), plan);
  CHECK(seen.verdict == CanaryVerdict::keep_watching);
  CHECK(seen.looks_made == 0);
  CHECK(*seen.more_requests == static_cast<std::uint64_t>(std::ceil(planned_requests(plan) / 5.0 - 200)));
}

TEST_CASE("when all looks are made without an answer, alpha is spent") {
  // 0.18 % against 0.1 %: above half of the margin, so never shown not inferior, and below it, so never worse.
  const Canary seen = judge_canary(pair_of(fleet(60, 2000, 2, 60), fleet(60, 2000, 3.6, 60)), plan_with_slo());
  CHECK(seen.looks_made == 5);
  CHECK(seen.reason == CanaryReason::spent);
  CHECK_FALSE(seen.more_requests.has_value());
}

TEST_CASE("an accuracy alarm rolls back whatever the metrics say") {
  CanaryPlan plan = plan_with_slo();
  plan.has_accuracy_alarm = true;
  CHECK(judge_canary(pair_of(fleet(25, 2000, 2, 60), fleet(25, 2000, 2, 60)), plan).reason ==
        CanaryReason::accuracy_alarm);
}

TEST_CASE("errors that nothing counts leave the verdict open") {
  FleetSeries base = fleet(25, 2000, 0, 60), candidate = base;
  base.failed.reset();
  const Canary seen = judge_canary(pair_of(base, candidate), plan_with_slo());
  CHECK(seen.verdict == CanaryVerdict::keep_watching);
  CHECK(seen.reason == CanaryReason::unknown);
  CHECK(seen.tests.front().state == TestState::unknown);
}

TEST_CASE("the sequential ratio test finds the same, and looks at every scrape") {
  CanaryPlan plan = plan_with_slo();
  plan.test = SequentialTest::sprt;
  CHECK(judge_canary(pair_of(fleet(49, 2000, 2, 60), fleet(49, 2000, 2, 60)), plan).verdict == CanaryVerdict::go_on);
  const Canary worse = judge_canary(pair_of(fleet(25, 2000, 2, 60), fleet(25, 2000, 8, 60)), plan);
  CHECK(worse.reason == CanaryReason::worse);
  CHECK(worse.tests.front().log_likelihood_ratio.has_value());
}

TEST_CASE("a 99th percentile above its limit for a quarter of an hour rolls back, unless the twin's is too") {
  CanaryPlan plan;
  plan.p99 = {{FleetLatency::ttft, 2s}};
  const FleetSeries good = fleet(31, 300, 0, 1, 1min), bad = fleet(31, 300, 0, 15, 1min);
  const Canary seen = judge_canary(pair_of(good, bad), plan);
  CHECK(seen.reason == CanaryReason::p99_breach);
  REQUIRE(seen.breaches.size() == 1);
  CHECK(seen.breaches.front().until - seen.breaches.front().from == 15min);
  const Canary shared = judge_canary(pair_of(bad, bad), plan);
  CHECK(shared.verdict == CanaryVerdict::keep_watching);
  CHECK(shared.breaches.front().is_shared);
  CHECK(judge_canary(pair_of(good, fleet(15, 300, 0, 15, 1min)), plan).breaches.empty());  // 14 min
}

TEST_CASE("a limit between two buckets is judged by the worse of what it may be") {
  CanaryPlan plan;
  plan.slos = {{FleetLatency::ttft, 3s}};  // between 2 s and infinity: every late one may be within it, or not
  const Canary seen = judge_canary(pair_of(fleet(25, 2000, 2, 60), fleet(25, 2000, 2, 60)), plan);
  CHECK_FALSE(seen.tests[1].is_exact());
  CHECK(seen.tests[1].state == TestState::open);
  CHECK(seen.verdict == CanaryVerdict::keep_watching);
}

}  // namespace scoville::decide
