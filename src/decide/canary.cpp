#include "decide/canary.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/check.hpp"
#include "stats/attainment.hpp"

namespace scoville::decide {
namespace {

constexpr std::array<double, 3> kSteps{1, 5, 25};
constexpr double kP99Share = 0.01;

/// What one test sees of one arm between two scrapes.
std::optional<Misses> events_of(const CanaryTest& test, const FleetSeries& fleet, std::size_t from, std::size_t upto) {
  if (test.limit) return misses(fleet, test.limit->latency, test.limit->limit, from, upto);
  if (!fleet.failed) return std::nullopt;
  const double failed = (*fleet.failed)[upto] - (*fleet.failed)[from];
  const double requests = fleet.requests[upto] - fleet.requests[from];
  return Misses{failed, failed, std::max(requests, failed)};
}

/// The last scrape of the base that is not after this time; the first one where all are.
std::size_t place_at(const FleetSeries& fleet, Nanos at) {
  const auto after = std::upper_bound(fleet.at.begin(), fleet.at.end(), at);
  return after == fleet.at.begin() ? 0 : static_cast<std::size_t>(after - fleet.at.begin()) - 1;
}

double level_of_look(const CanaryPlan& plan) {
  return plan.test == SequentialTest::looks ? plan.alpha / static_cast<double>(plan.looks) : plan.alpha;
}

CanaryTest make_test(std::string name, std::optional<LatencyLimit> limit, double expected, double margin,
                     const CanaryPlan& plan) {
  CanaryTest out;
  out.name = std::move(name);
  out.limit = limit;
  out.expected = expected;
  out.margin = margin;
  out.planned = stats::requests_per_arm(expected, expected + margin, level_of_look(plan), plan.power).value_or(0);
  return out;
}

std::vector<CanaryTest> tests_of(const CanaryPlan& plan) {
  std::vector<CanaryTest> out{make_test("errors", std::nullopt, plan.expected_errors, plan.error_margin, plan)};
  for (const LatencyLimit& each : plan.slos)
    out.push_back(make_test(std::string(name_of(each.latency)), each, plan.expected_misses, plan.miss_margin, plan));
  return out;
}

void fill_totals(CanaryTest& test, const FleetPair& fleets) {
  const auto base = events_of(test, fleets.base, 0, fleets.base.size() - 1);
  const auto candidate = events_of(test, fleets.candidate, 0, fleets.candidate.size() - 1);
  if (!base || !candidate) {
    test.state = TestState::unknown;
    return;
  }
  test.base = {base->low, base->trials};
  test.candidate = {candidate->low, candidate->trials};
  test.base_high = base->high;
  test.candidate_high = candidate->high;
}

/// As much worse as makes one roll back: by the margin, or, of errors, twice as many.
bool is_much_worse(const CanaryTest& test, const stats::Share& base, const stats::Share& candidate) {
  const bool is_doubled = !test.limit && candidate.rate() >= 2 * base.rate();
  return is_doubled || candidate.rate() - base.rate() >= test.margin;
}

/// One look: not inferior by the worst that buckets allow, worse by the best of it. What was found not inferior may
/// still turn worse: alpha was shared out for every look.
void look(CanaryTest& test, std::size_t number, const Misses& base, const Misses& candidate, double level,
          double harm_level) {
  if (test.state == TestState::worse || test.state == TestState::unknown) return;
  const stats::Share most{base.high, base.trials}, least{candidate.low, candidate.trials};
  const stats::Share fewest{base.low, base.trials}, highest{candidate.high, candidate.trials};
  const CanaryLook seen{number,
                        fewest,
                        least,
                        base.high,
                        candidate.high,
                        stats::noninferior_p(fewest, highest, test.margin),
                        stats::worse_p(most, least)};
  const bool is_worse = seen.worse_p && *seen.worse_p <= harm_level && is_much_worse(test, most, least);
  if (is_worse || test.state == TestState::open) test.look = seen;
  if (is_worse)
    test.state = TestState::worse;
  else if (seen.noninferior_p && *seen.noninferior_p <= level)
    test.state = TestState::not_inferior;
}

/// Looks at equal steps of the planned size, at the first scrape at which both arms have come so far.
std::size_t run_looks(std::vector<CanaryTest>& tests, const FleetPair& fleets, const CanaryPlan& plan) {
  const double planned = static_cast<double>(planned_requests(plan));
  const double level = level_of_look(plan), harm_level = level / static_cast<double>(tests.size());
  std::size_t made = 0;
  for (std::size_t i = 1; i < fleets.candidate.size() && made < plan.looks; ++i) {
    const bool is_last = i + 1 == fleets.candidate.size();  // the two are not scraped at the very same instant
    const std::size_t b = is_last ? fleets.base.size() - 1 : place_at(fleets.base, fleets.candidate.at[i]);
    const double smaller = std::min(fleets.base.requests[b], fleets.candidate.requests[i]);
    const auto due = static_cast<std::size_t>(std::floor(smaller / planned * static_cast<double>(plan.looks)));
    if (due <= made) continue;
    made = std::min(due, plan.looks);
    for (CanaryTest& each : tests) {
      const auto base = events_of(each, fleets.base, 0, b), candidate = events_of(each, fleets.candidate, 0, i);
      if (base && candidate) look(each, made, *base, *candidate, level, harm_level);
    }
  }
  return made;
}

void run_sprt(CanaryTest& test, const FleetPair& fleets, const CanaryPlan& plan, std::size_t family) {
  if (test.state != TestState::open) return;
  const double ratio = (test.expected + test.margin) / test.expected;
  const double harm_level = plan.alpha / static_cast<double>(family);
  // The alarm never rests: it has no lower bound, and by Ville's inequality none is raised falsely but with its alpha.
  constexpr double kNever = 1e-300;
  stats::RateSprt kindest(ratio, harm_level, kNever), harshest(ratio, harm_level, plan.alpha);
  for (std::size_t i = 1; i < fleets.candidate.size(); ++i) {
    const std::size_t b0 = place_at(fleets.base, fleets.candidate.at[i - 1]),
                      b = place_at(fleets.base, fleets.candidate.at[i]);
    const auto base = events_of(test, fleets.base, b0, b), candidate = events_of(test, fleets.candidate, i - 1, i);
    if (!base || !candidate) return;
    const stats::SprtState harm = kindest.add({base->high, base->trials}, {candidate->low, candidate->trials});
    const stats::SprtState good = harshest.add({base->low, base->trials}, {candidate->high, candidate->trials});
    test.log_likelihood_ratio = harshest.log_likelihood_ratio();
    if (harm == stats::SprtState::increased) {
      test.state = TestState::worse;
      return;
    }
    if (good == stats::SprtState::equal) test.state = TestState::not_inferior;
  }
}

/// Above the limit for sure more often than one in a hundred.
bool is_above(const std::optional<Misses>& seen) {
  return seen && seen->trials > 0 && seen->low > kP99Share * seen->trials;
}

bool is_surely_above(const std::optional<Misses>& seen) {
  if (!seen || !(seen->trials > 0)) return false;
  const auto least = stats::attainment_at_least_of(std::min(seen->low, seen->trials), seen->trials);
  return least && *least > kP99Share;
}

/// The longest stretch of scrapes with the percentile above its limit, if it is long enough.
std::optional<Breach> breach_of(const FleetPair& fleets, const LatencyLimit& limit, Nanos least) {
  const FleetSeries& fleet = fleets.candidate;
  const auto between = [&](const FleetSeries& of, std::size_t from, std::size_t upto) {
    return misses(of, limit.latency, limit.limit, from, upto);
  };
  std::size_t from = 0;
  for (std::size_t i = 1; i < fleet.size(); ++i) {
    if (!is_above(between(fleet, i - 1, i))) {
      from = i;
      continue;
    }
    if (fleet.at[i] - fleet.at[from] < least || !is_surely_above(between(fleet, from, i))) continue;
    const std::size_t b0 = place_at(fleets.base, fleet.at[from]), b = place_at(fleets.base, fleet.at[i]);
    return Breach{limit, fleet.at[from], fleet.at[i], is_above(between(fleets.base, b0, b))};
  }
  return std::nullopt;
}

bool any(const std::vector<CanaryTest>& tests, TestState state) {
  return std::any_of(tests.begin(), tests.end(), [&](const CanaryTest& each) { return each.state == state; });
}

void add_remaining(Canary& out) {
  const auto planned = static_cast<double>(planned_requests(out.plan));
  double goal = planned;
  if (out.plan.test == SequentialTest::looks && out.looks_made < out.plan.looks)
    goal = planned * static_cast<double>(out.looks_made + 1) / static_cast<double>(out.plan.looks);
  if (goal > out.requests) out.more_requests = static_cast<std::uint64_t>(std::ceil(goal - out.requests));
}

void conclude(Canary& out) {
  const bool has_breach =
      std::any_of(out.breaches.begin(), out.breaches.end(), [](const Breach& each) { return !each.is_shared; });
  out.verdict = CanaryVerdict::roll_back;
  if (out.plan.has_accuracy_alarm) {
    out.reason = CanaryReason::accuracy_alarm;
  } else if (any(out.tests, TestState::worse)) {
    out.reason = CanaryReason::worse;
  } else if (has_breach) {
    out.reason = CanaryReason::p99_breach;
  } else if (any(out.tests, TestState::open)) {
    out.verdict = CanaryVerdict::keep_watching;
    const bool is_spent = out.plan.test == SequentialTest::looks && out.looks_made == out.plan.looks;
    out.reason = is_spent ? CanaryReason::spent : CanaryReason::not_enough;
    if (!is_spent) add_remaining(out);
  } else if (any(out.tests, TestState::unknown)) {
    out.verdict = CanaryVerdict::keep_watching, out.reason = CanaryReason::unknown;
  } else if (out.seen < out.plan.at_least) {
    out.verdict = CanaryVerdict::keep_watching, out.reason = CanaryReason::too_short;
  } else {
    out.verdict = CanaryVerdict::go_on, out.reason = CanaryReason::not_inferior;
    const auto next = std::upper_bound(kSteps.begin(), kSteps.end(), out.plan.step);
    if (next != kSteps.end()) out.next_step = *next;
  }
}

}  // namespace

std::string_view name_of(SequentialTest test) { return test == SequentialTest::looks ? "looks" : "sprt"; }

std::string_view name_of(TestState state) {
  constexpr std::string_view kNames[] = {"open", "not_inferior", "worse", "unknown"};
  return kNames[static_cast<std::size_t>(state)];
}

std::string_view name_of(CanaryVerdict verdict) {
  constexpr std::string_view kNames[] = {"go_on", "roll_back", "keep_watching"};
  return kNames[static_cast<std::size_t>(verdict)];
}

std::string_view name_of(CanaryReason reason) {
  constexpr std::string_view kNames[] = {"not_inferior", "accuracy_alarm", "worse",   "p99_breach",
                                         "not_enough",   "too_short",      "unknown", "spent"};
  return kNames[static_cast<std::size_t>(reason)];
}

std::uint64_t planned_requests(const CanaryPlan& plan) {
  std::uint64_t out = 1;
  for (const CanaryTest& each : tests_of(plan)) out = std::max(out, each.planned);
  return out;
}

Canary judge_canary(const FleetPair& fleets, const CanaryPlan& plan) {
  Canary out;
  out.plan = plan;
  out.tests = tests_of(plan);
  out.requests = std::min(fleets.base.requests.back(), fleets.candidate.requests.back());
  out.seen = std::min(fleets.base.seen(), fleets.candidate.seen());
  for (CanaryTest& each : out.tests) fill_totals(each, fleets);
  if (plan.test == SequentialTest::looks) {
    out.looks_made = run_looks(out.tests, fleets, plan);
  } else {
    for (CanaryTest& each : out.tests) run_sprt(each, fleets, plan, out.tests.size());
  }
  for (const LatencyLimit& each : plan.p99) {
    if (std::optional<Breach> found = breach_of(fleets, each, plan.breach)) out.breaches.push_back(*found);
  }
  conclude(out);
  return out;
}

}  // namespace scoville::decide
