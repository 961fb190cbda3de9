#include "decide/validity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "analyse/set.hpp"

namespace scoville::decide {
namespace {

using analyse::RunStatistics;

/// What is wrong with one run; empty: nothing.
using Fault = std::function<bool(const RunStatistics&, const Setup&)>;

bool has_failures(const RunStatistics& run, const Setup&) {
  const double faults = static_cast<double>(run.attempted - run.succeeded - run.timeouts);
  return faults > kMostFailures * static_cast<double>(run.attempted);
}

/// The fewest requests that a whole run attempts: those chosen to be given up are not among them, as many as chance may
/// make (five standard deviations).
double fewest_attempted(const plan::LoadPlan& load) {
  const auto asked = static_cast<double>(load.num_prompts);
  const double share = load.cancel.share;
  return asked * (1 - share) - 5 * std::sqrt(asked * share * (1 - share));
}

bool is_incomplete(const RunStatistics& run, const Setup& setup) {
  if (run.was_interrupted) return true;
  if (setup.load.finds_warmup) return false;  // what it cut off is not attempted any more
  if (setup.load.num_prompts > 0 && !setup.load.duration)
    return static_cast<double>(run.attempted) < fewest_attempted(setup.load);
  return setup.load.duration && setup.load.num_prompts == 0 &&
         static_cast<double>(run.length.count()) < kLeastDuration * static_cast<double>(setup.load.duration->count());
}

struct Rule {
  const char* key;
  bool can_be_allowed;
  Fault is_at_fault;
};

const std::vector<Rule>& rules() {
  static const std::vector<Rule> all{
      {"runs.success", false, [](const RunStatistics& run, const Setup&) { return run.succeeded == 0; }},
      {"runs.instrument", false,
       [](const RunStatistics& run, const Setup&) { return run.instrument == analyse::Verdict::bottleneck; }},
      {"runs.complete", true, is_incomplete},
      {"runs.failures", true, has_failures},
      {"runs.schedule", true,
       [](const RunStatistics& run, const Setup&) {
         return run.schedule_met == false || (run.schedule_met == std::nullopt && !run.reached_concurrency);
       }},
      {"runs.steady", true, [](const RunStatistics& run, const Setup&) { return run.is_drifting; }},
      {"runs.lengths", true,
       [](const RunStatistics& run, const Setup& setup) {
         return setup.shape.ignore_eos &&
                static_cast<double>(run.short_outputs) >
                    kMostFailures * static_cast<double>(std::max<std::size_t>(1, run.succeeded));
       }},
      {"runs.empty_outputs", true,
       [](const RunStatistics& run, const Setup&) {
         return static_cast<double>(run.empty_outputs) > kMostFailures * static_cast<double>(run.attempted);
       }},
  };
  return all;
}

/// "2/5": runs at fault.
std::string faults_in(const Arm& arm, const Fault& is_at_fault, bool& any) {
  const auto count = std::count_if(arm.runs.begin(), arm.runs.end(),
                                   [&](const ArmRun& run) { return is_at_fault(run.statistics, arm.setup); });
  any = any || count > 0;
  return fmt::format("{}/{}", count, arm.runs.size());
}

GateField one_plan(const Arm& base, const Arm& candidate) {
  GateField out{"runs.one_plan", FieldClass::validity, FieldState::equal, "", "", false, false, true};
  if (base.is_one_plan && candidate.is_one_plan) return out;
  out.state = FieldState::different;
  out.base = base.is_one_plan ? "1" : ">1";
  out.candidate = candidate.is_one_plan ? "1" : ">1";
  return out;
}

std::optional<double> median_rate(const Arm& arm) {
  std::vector<std::optional<double>> rates;
  for (const ArmRun& run : arm.runs) rates.push_back(run.statistics.output_tokens_per_s);
  return analyse::over_runs(std::move(rates)).median;
}

GateField client_bound(const Arm& base, const Arm& candidate) {
  GateField out{"runs.client_bound", FieldClass::validity, FieldState::equal, "", "", false, false, false};
  const std::optional<double> gain = client_gain(base, candidate);
  if (!gain || *gain <= 1 + kClientGain) return out;
  out.state = FieldState::different;
  const auto shown = [&](const Arm& arm) { return fmt::format("{} threads", arm.setup.load.threads); };
  out.base = shown(base);
  out.candidate = shown(candidate) + fmt::format(", rate × {:.3g}", *gain);
  return out;
}

}  // namespace

std::optional<double> client_gain(const Arm& base, const Arm& candidate) {
  const Setup &ours = base.setup, &theirs = candidate.setup;
  if (ours.load.threads == theirs.load.threads || ours.url != theirs.url) return std::nullopt;
  if (ours.system.comparable_hash() != theirs.system.comparable_hash()) return std::nullopt;
  const bool has_more = theirs.load.threads > ours.load.threads;
  const std::optional<double> more = median_rate(has_more ? candidate : base);
  const std::optional<double> fewer = median_rate(has_more ? base : candidate);
  if (!more || !fewer || *fewer <= 0) return std::nullopt;
  return *more / *fewer;
}

std::vector<GateField> check_validity(const Arm& base, const Arm& candidate) {
  std::vector<GateField> out{one_plan(base, candidate)};
  for (const Rule& rule : rules()) {
    GateField field{rule.key, FieldClass::validity, FieldState::equal, "", "", false, false, rule.can_be_allowed};
    bool is_any = false;
    field.base = faults_in(base, rule.is_at_fault, is_any);
    field.candidate = faults_in(candidate, rule.is_at_fault, is_any);
    if (is_any) field.state = FieldState::different;
    out.push_back(std::move(field));
  }
  out.push_back(client_bound(base, candidate));
  return out;
}

}  // namespace scoville::decide
