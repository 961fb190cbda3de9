#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "decide/fleet.hpp"
#include "stats/rate_sprt.hpp"
#include "stats/two_shares.hpp"

namespace scoville::decide {

struct LatencyLimit {
  FleetLatency latency = FleetLatency::ttft;
  Nanos limit{};
};

enum class SequentialTest {
  looks,  ///< a number of looks fixed beforehand, at equal steps of the planned size; alpha shared out among them
  sprt,   ///< Wald's: at every scrape
};
std::string_view name_of(SequentialTest test);

/// How a canary is judged. Rates are shares of requests; margins are differences of them.
struct CanaryPlan {
  SequentialTest test = SequentialTest::looks;
  std::size_t looks = 5;
  double alpha = 0.05, power = 0.8;
  double expected_errors = 0.001, error_margin = 0.001;  ///< 0.1 % → 0.2 %: errors twice as many
  double expected_misses = 0.05, miss_margin = 0.01;
  std::vector<LatencyLimit> slos;  ///< attainment must not be lower
  std::vector<LatencyLimit> p99;   ///< the candidate's 99th percentile, for `breach` on end
  Nanos breach = std::chrono::minutes(15);
  Nanos at_least = std::chrono::hours(24);  ///< a step takes a day, its peak included
  double step = 1;                          ///< percent of the traffic
  bool has_accuracy_alarm = false;
};

enum class TestState {
  open,
  not_inferior,
  worse,
  unknown,  ///< the fleets' metrics do not say
};
std::string_view name_of(TestState state);

/// What one look saw: the counts that its p values are of.
struct CanaryLook {
  std::size_t number = 1;  ///< of the plan's looks
  stats::Share base, candidate;
  double base_high = 0, candidate_high = 0;
  std::optional<double> noninferior_p, worse_p;
};

/// Errors, or the misses of one SLO.
struct CanaryTest {
  std::string name;  ///< "errors", "ttft"
  std::optional<LatencyLimit> limit;
  double expected = 0, margin = 0;
  stats::Share base, candidate;              ///< at the last scrape; of bounds the lower
  double base_high = 0, candidate_high = 0;  ///< events at most: the limit may lie between two buckets
  TestState state = TestState::open;
  std::optional<CanaryLook> look;              ///< the one that decided, else the last one made
  std::optional<double> log_likelihood_ratio;  ///< of the sequential ratio test, at the last scrape
  std::uint64_t planned = 0;                   ///< requests an arm

  bool is_exact() const { return base_high == base.events && candidate_high == candidate.events; }
};

/// A stretch in which the candidate's 99th percentile lay above its limit for sure.
struct Breach {
  LatencyLimit limit;
  Nanos from{}, until{};   ///< since 1970
  bool is_shared = false;  ///< the twin's did too: the load, not the candidate
};

enum class CanaryVerdict { go_on, roll_back, keep_watching };
std::string_view name_of(CanaryVerdict verdict);

enum class CanaryReason {
  not_inferior,
  accuracy_alarm,
  worse,
  p99_breach,
  not_enough,  ///< requests, until the next look or at all
  too_short,   ///< all tests pass, but less than a day was seen
  unknown,     ///< a test could not be made
  spent,       ///< all looks are made, and did not tell
};
std::string_view name_of(CanaryReason reason);

struct Canary {
  CanaryPlan plan;
  std::vector<CanaryTest> tests;
  std::vector<Breach> breaches;
  std::size_t looks_made = 0;
  double requests = 0;                         ///< of the smaller arm
  Nanos seen{};                                ///< of the shorter arm
  std::optional<std::uint64_t> more_requests;  ///< an arm, until the next look, or until the planned size
  CanaryVerdict verdict = CanaryVerdict::keep_watching;
  CanaryReason reason = CanaryReason::not_enough;
  std::optional<double> next_step;  ///< percent; empty at the last one, or where it does not go on
};

/// docs/formats/canary.md has the rules.
Canary judge_canary(const FleetPair& fleets, const CanaryPlan& plan);

/// Requests an arm that the plan needs: of its tests the largest, each look at its share of alpha.
std::uint64_t planned_requests(const CanaryPlan& plan);

}  // namespace scoville::decide
