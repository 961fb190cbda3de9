#include "evaluate/self_check.hpp"

#include <algorithm>
#include <set>

#include "text/catalogue/evaluate.hpp"

namespace scoville::evaluate {
namespace {

using text::EvaluateMsg;

const matrix::Row* row_of(const matrix::Matrix& matrix, const std::string& id) {
  for (const matrix::Row& each : matrix.rows) {
    if (each.id == id) return &each;
  }
  return nullptr;
}

bool is_tested(const matrix::Matrix& matrix, const std::string& id) {
  const matrix::Row* const row = row_of(matrix, id);
  return row && std::any_of(row->measures.begin(), row->measures.end(),
                            [](const matrix::JudgedMeasure& each) { return each.estimate.has_data(); });
}

/// Runs of this candidate against the baseline that the gate let through.
std::vector<const Serving*> compared(const Findings& findings, const std::string& candidate) {
  std::vector<const Serving*> out;
  for (const Serving& each : findings.serving) {
    if (each.candidate == candidate && each.comparison && each.comparison->gate.result != decide::GateResult::refuse)
      out.push_back(&each);
  }
  return out;
}

/// Whether models of both kinds were measured: two labels on one served model are one.
bool has_both_kinds(const Plan& plan, const std::vector<const Serving*>& measured) {
  std::set<bool> kinds;
  std::set<std::string> served;
  for (const Serving* each : measured) {
    const Workload* const workload = plan.find_workload(each->workload);
    for (const Model& model : plan.models) {
      if (!workload || model.name != workload->model) continue;
      kinds.insert(model.is_own);
      served.insert(each->base->setup.shape.model);
    }
  }
  return kinds.size() == 2 && served.size() > 1;
}

bool has_noise_floor(const std::vector<const Serving*>& measured) {
  return std::any_of(measured.begin(), measured.end(), [](const Serving* each) {
    return std::any_of(each->comparison->metrics.begin(), each->comparison->metrics.end(),
                       [](const decide::MetricComparison& metric) { return metric.is_primary && metric.floor; });
  });
}

/// Runs in which the client was in doubt, those that the gate refused among them.
std::size_t bottlenecks(const Findings& findings, const std::string& candidate) {
  std::size_t out = 0;
  for (const Serving& each : findings.serving) {
    if (each.candidate != candidate) continue;
    for (const auto* arm : {&each.base, &each.other}) {
      if (!*arm) continue;
      for (const decide::ArmRun& run : (*arm)->runs) out += run.statistics.instrument == analyse::Verdict::ok ? 0 : 1;
    }
  }
  return out;
}

}  // namespace

std::vector<SelfCheck> check_oneself(const Plan& plan, const Findings& findings, const matrix::Matrix& matrix) {
  std::vector<SelfCheck> out;
  const auto add = [&](const char* code, bool holds, EvaluateMsg yes, EvaluateMsg no, const auto&... args) {
    out.push_back({code, holds, text::phrase(holds ? text::Msg(yes) : text::Msg(no), args...)});
  };
  const std::vector<const Serving*> measured = compared(findings, matrix.candidate);
  const auto pilots = static_cast<std::size_t>(matrix.pilots.size());
  const auto tested =
      static_cast<std::size_t>(std::count_if(matrix.pilots.begin(), matrix.pilots.end(), [](const matrix::Pilot& each) {
        return each.verdict != matrix::Verdict::untested;
      }));
  add("headline", !measured.empty(), EvaluateMsg::self_headline_yes, EvaluateMsg::self_headline_no);
  add("one_card", is_tested(matrix, "multi_card_scaling"), EvaluateMsg::self_cards_yes, EvaluateMsg::self_cards_no);
  add("peak_figures", is_tested(matrix, "latency_tail") && !measured.empty(), EvaluateMsg::self_peak_yes,
      EvaluateMsg::self_peak_no);
  add("no_trial", tested > 0, EvaluateMsg::self_trial_yes, EvaluateMsg::self_trial_no, tested, pilots);
  add("reliability", is_tested(matrix, "stability"), EvaluateMsg::self_reliability_yes,
      EvaluateMsg::self_reliability_no);
  add("two_models", has_both_kinds(plan, measured), EvaluateMsg::self_models_yes, EvaluateMsg::self_models_no);
  add("pilots", pilots == 2 || pilots == 3, EvaluateMsg::self_pilots_yes, EvaluateMsg::self_pilots_no, pilots);
  add("correctness", is_tested(matrix, "correctness"), EvaluateMsg::self_correct_yes, EvaluateMsg::self_correct_no);
  add("noise_floor", has_noise_floor(measured), EvaluateMsg::self_noise_yes, EvaluateMsg::self_noise_no);
  const std::size_t doubtful = bottlenecks(findings, matrix.candidate);
  add("instrument", !measured.empty() && doubtful == 0, EvaluateMsg::self_instrument_yes,
      EvaluateMsg::self_instrument_no, doubtful);
  return out;
}

}  // namespace scoville::evaluate
