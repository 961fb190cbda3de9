#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "correctness/agreement.hpp"
#include "correctness/score.hpp"

namespace scoville::correctness {

/// May the candidate stand for the reference, though it computes in another precision? The names are those of the JSON.
enum class GateVerdict { not_measured, pass, fail, cannot_tell };
inline constexpr std::array<std::string_view, 4> kGateVerdicts{"not_measured", "pass", "fail", "cannot_tell"};
std::string_view name_of(GateVerdict verdict);

/// Why it says so. The names are those of the JSON.
enum class GateReason {
  no_candidate,              ///< one arm: nothing to compare
  no_tasks,                  ///< no tasks, and no target for the agreement
  within_target,             ///< the whole interval lies at the target or above it
  below_target,              ///< the whole interval lies below it
  interval_spans_target,     ///< too few tasks or prompts for this target
  reference_scores_nothing,  ///< the reference got none right: there is no ratio
  reference_failed,          ///< it failed to answer more tasks than the loss that the target allows
};
std::string_view name_of(GateReason reason);

/// One question and its answer.
struct GateAnswer {
  GateVerdict verdict = GateVerdict::not_measured;
  GateReason reason = GateReason::no_tasks;
  double target = 0;
  /// How many tasks or prompts it would take, if the shares stay as they are. Empty where it is not known.
  std::optional<double> needed;
};

/// The accuracy gate (MLPerf: 99 % or 99.9 % of the reference's score).
///
/// Evidence decides, not the point: pass needs the lower end of the ratio's 95 % interval at the target or above, fail
/// its upper end below; else it cannot tell. So either error has at most about 2.5 %. A candidate that answers 380
/// tasks just as the reference does cannot be shown to keep 99 %; with 381 it can.
GateAnswer gate_of_scores(const ScoreComparison& scores, std::size_t tasks, double target);

/// The same for the share of prompts with identical answers, whose interval is Clopper and Pearson's. Stronger than the
/// score: an identical answer is right where the other is.
GateAnswer gate_of_agreement(const Agreement& agreement, double target);

/// What was asked for, together: fail if either fails, pass only if all that was asked passes.
struct Gate {
  GateVerdict verdict = GateVerdict::not_measured;
  GateReason reason = GateReason::no_tasks;
  std::optional<GateAnswer> tasks, agreement;
};
Gate join(std::optional<GateAnswer> tasks, std::optional<GateAnswer> agreement, bool has_candidate);

}  // namespace scoville::correctness
