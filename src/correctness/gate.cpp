#include "correctness/gate.hpp"

#include <cmath>

#include "stats/attainment.hpp"

namespace scoville::correctness {
namespace {

constexpr std::array<std::string_view, 7> kReasons{
    "no_candidate",          "no_tasks",
    "within_target",         "below_target",
    "interval_spans_target", "reference_scores_nothing",
    "reference_failed",
};
constexpr double kMostNeeded = 1e7;

void judge(GateAnswer& answer, const stats::Interval& interval) {
  const bool passes = interval.lower >= answer.target, fails = interval.upper < answer.target;
  answer.verdict = passes ? GateVerdict::pass : fails ? GateVerdict::fail : GateVerdict::cannot_tell;
  answer.reason = passes  ? GateReason::within_target
                  : fails ? GateReason::below_target
                          : GateReason::interval_spans_target;
}

/// What was not measured could hide all of the loss that is allowed.
void doubt(GateAnswer& answer, std::size_t missing, std::size_t all) {
  if (answer.verdict != GateVerdict::pass) return;
  if (static_cast<double>(missing) / static_cast<double>(all) <= 1 - answer.target) return;
  answer.verdict = GateVerdict::cannot_tell;
  answer.reason = GateReason::reference_failed;
}

/// The smallest number of prompts at which the interval leaves the target, the share held; by doubling and halving.
std::optional<double> prompts_needed(double share, double target) {
  const auto leaves = [&](double n) {
    const auto trials = static_cast<std::uint64_t>(n);
    const auto interval = stats::attainment_interval(static_cast<std::uint64_t>(std::llround(share * n)), trials);
    return interval && (interval->lower >= target || interval->upper < target);
  };
  double high = 1;
  while (high < kMostNeeded && !leaves(high)) high *= 2;
  if (high >= kMostNeeded) return std::nullopt;
  double low = high / 2;
  while (high - low > 1) {
    const double middle = std::floor((low + high) / 2);
    (leaves(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace

std::string_view name_of(GateVerdict verdict) { return kGateVerdicts[static_cast<std::size_t>(verdict)]; }
std::string_view name_of(GateReason reason) { return kReasons[static_cast<std::size_t>(reason)]; }

GateAnswer gate_of_scores(const ScoreComparison& scores, std::size_t tasks, double target) {
  GateAnswer answer;
  answer.target = target;
  answer.verdict = GateVerdict::cannot_tell;
  if (!scores.ratio_interval) {
    const bool has_none = scores.counts.pairs() > 0;
    answer.reason = has_none ? GateReason::reference_scores_nothing : GateReason::reference_failed;
    return answer;
  }
  judge(answer, *scores.ratio_interval);
  if (answer.verdict == GateVerdict::cannot_tell) {
    answer.needed = stats::pairs_to_settle(scores.counts, target);
    if (answer.needed && *answer.needed > kMostNeeded) answer.needed.reset();
  }
  doubt(answer, scores.reference_failed, tasks);
  return answer;
}

GateAnswer gate_of_agreement(const Agreement& agreement, double target) {
  GateAnswer answer;
  answer.target = target;
  answer.verdict = GateVerdict::cannot_tell;
  answer.reason = GateReason::reference_failed;
  if (!agreement.identical_interval) return answer;
  judge(answer, *agreement.identical_interval);
  if (answer.verdict == GateVerdict::cannot_tell) answer.needed = prompts_needed(*agreement.identical_share, target);
  doubt(answer, agreement.not_measured(), agreement.pairs.size());
  return answer;
}

Gate join(std::optional<GateAnswer> tasks, std::optional<GateAnswer> agreement, bool has_candidate) {
  Gate gate;
  gate.tasks = tasks;
  gate.agreement = agreement;
  if (!has_candidate) gate.reason = GateReason::no_candidate;
  for (const std::optional<GateAnswer>& each : {tasks, agreement}) {
    if (!each) continue;
    const bool is_worse = gate.verdict == GateVerdict::not_measured || gate.verdict == GateVerdict::pass ||
                          (gate.verdict == GateVerdict::cannot_tell && each->verdict == GateVerdict::fail);
    if (!is_worse) continue;
    gate.verdict = each->verdict;
    gate.reason = each->reason;
  }
  return gate;
}

}  // namespace scoville::correctness
