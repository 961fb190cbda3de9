#include "evaluate/judge.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "text/catalogue/evaluate.hpp"

namespace scoville::evaluate {
namespace {

using matrix::Estimate;
using matrix::Measure;
using text::EvaluateMsg;
using text::say;

using Rows = std::map<std::string, std::vector<Measure>>;

std::string ids_of(const decide::Arm& arm) {
  std::string out;
  for (const decide::ArmRun& each : arm.runs) out += (out.empty() ? "" : ",") + each.id;
  return out;
}

std::string sources_of(const Serving& serving) {
  std::string out = serving.base ? ids_of(*serving.base) : "";
  if (serving.other) out += (out.empty() ? "" : ";") + ids_of(*serving.other);
  return out;
}

/// Requests behind the quantiles of the run that has the fewest.
std::size_t fewest_requests(const decide::Arm& arm) {
  std::size_t out = arm.runs.empty() ? 0 : arm.runs.front().statistics.succeeded;
  for (const decide::ArmRun& each : arm.runs) out = std::min(out, each.statistics.succeeded);
  return out;
}

bool is_refused(const Serving& serving) {
  return serving.comparison && serving.comparison->gate.result == decide::GateResult::refuse;
}

/// Candidate ÷ baseline of one metric; above 1 is better.
Estimate ratio_of(const Serving& serving, std::string_view metric) {
  Estimate out;
  out.unit = "1";
  out.source = sources_of(serving);
  if (!serving.comparison || is_refused(serving)) {
    out.note = serving.why_none.said();
    return out;
  }
  const decide::MetricComparison* const found = serving.comparison->find(metric);
  if (!found || !found->ratio) {
    out.note = say(EvaluateMsg::no_ratio, metric);
    return out;
  }
  out.value = found->ratio->value;
  if (found->ratio->interval) {
    out.low = found->ratio->interval->lower;
    out.high = found->ratio->interval->upper;
  }
  out.n = std::min(serving.comparison->base_runs, serving.comparison->candidate_runs);
  return out;
}

/// A latency of the candidate itself, ms, over its runs.
Estimate latency_of(const Serving& serving, const std::string& metric) {
  Estimate out;
  out.unit = "ms";
  out.note = serving.why_none.said();
  if (!serving.other || is_refused(serving)) return out;
  out.source = ids_of(*serving.other);
  const std::optional<analyse::SetFigure> figure = figure_of(*serving.other, metric);
  if (!figure || !figure->median) return out;
  const auto in_ms = [](std::optional<double> ns) { return ns ? std::optional(*ns / 1e6) : std::nullopt; };
  out.value = in_ms(figure->median);
  out.low = in_ms(figure->low);
  out.high = in_ms(figure->high);
  out.n = figure->n;
  out.samples = fewest_requests(*serving.other);
  return out;
}

matrix::Target limit_of(const plan::Slo& slo) {
  matrix::Target out;
  out.most = to_millis(slo.limit);
  out.unit = "ms";
  out.source = slo.text;
  out.least_samples = slo.share >= 0.99 ? 662 : 130;  // what a quantile takes (docs/method.md, "Quantiles")
  return out;
}

Measure limit_measure(const Serving& serving, const plan::Slo& slo) {
  const std::string key = measure_of(slo);
  return {key, serving.workload, latency_of(serving, key), limit_of(slo)};
}

void add_serving(const Plan& plan, const Serving& serving, Rows& rows) {
  const Workload* const workload = plan.find_workload(serving.workload);
  const bool has_limits = workload && !workload->slos.empty();
  rows["serving_throughput"].push_back({has_limits ? "goodput_ratio" : "throughput_ratio",
                                        serving.workload,
                                        ratio_of(serving, has_limits ? "goodput_per_s" : "output_tokens_per_s"),
                                        {}});
  for (const char* key : {"ttft_p95", "tpot_p95"}) {
    if (!has_limits) rows["latency_tail"].push_back({key, serving.workload, latency_of(serving, key), {}});
  }
  if (!has_limits) return;
  for (const plan::Slo& slo : workload->slos) rows["latency_tail"].push_back(limit_measure(serving, slo));
}

/// The worst ratio over all workloads: one that is measured on one shape alone says nothing of others.
Estimate worst_ratio(const std::vector<Measure>& throughput) {
  Estimate out;
  out.unit = "1";
  if (throughput.size() < 2) {
    out.note = say(EvaluateMsg::one_shape);
    return out;
  }
  for (const Measure& each : throughput) {
    if (!each.estimate.value) {
      out = Estimate{};
      out.unit = "1";
      out.note = each.estimate.note;
      return out;
    }
    const auto least = [](std::optional<double>& into, std::optional<double> value) {
      if (value && (!into || *value < *into)) into = value;
    };
    if (!out.value) out.n = each.estimate.n;
    least(out.value, each.estimate.value);
    least(out.low, each.estimate.low);
    least(out.high, each.estimate.high);
    out.n = std::min(out.n, each.estimate.n);
    out.source += (out.source.empty() ? "" : ";") + each.estimate.source;
  }
  return out;
}

void add_correctness(const Plan& plan, const Findings& findings, const std::string& candidate, Rows& rows) {
  const CorrectnessFinding* const found = findings.find_correctness(candidate);
  const auto estimate = [&](const std::optional<CorrectnessFinding::Share>& share) {
    Estimate out;
    out.unit = "1";
    if (!share) return out;
    out.value = share->value;
    out.low = share->low;
    out.high = share->high;
    out.n = share->n;
    out.source = found->id;
    return out;
  };
  const auto at_least = [](std::optional<double> least) {
    std::optional<matrix::Target> out;
    if (!least) return out;
    out.emplace();
    out->least = least;
    out->unit = "1";
    return out;
  };
  // A reference that does not repeat itself as often as the target asks is no measure of a candidate, unless that is
  // surely worse than the reference's own second answers.
  const auto agreement = [&] {
    Estimate out = estimate(found ? found->agreement : std::optional<CorrectnessFinding::Share>());
    const double target = plan.correctness.agreement_target.value_or(0);
    if (!found || !found->self_agreement || found->self_agreement->value.value_or(1) >= target) return out;
    if (out.high && *out.high < found->self_agreement->low.value_or(0)) return out;
    Estimate none;
    none.unit = "1";
    none.note = say(EvaluateMsg::no_repeat, *found->self_agreement->value * 100);
    return none;
  };
  std::vector<Measure>& row = rows["correctness"];
  const std::optional<CorrectnessFinding::Share> none;
  if (!plan.correctness.tasks.empty())
    row.push_back(
        {"score_ratio", "", estimate(found ? found->score_ratio : none), at_least(plan.correctness.accuracy_target)});
  if (plan.correctness.agreement_target || (found && found->agreement))
    row.push_back({"token_agreement", "", agreement(), at_least(plan.correctness.agreement_target)});
}

void add_brought(const Plan& plan, const std::string& candidate, Rows& rows) {
  for (const BroughtResult& each : plan.results) {
    if (each.system != candidate) continue;
    const matrix::RowTemplate* const row = plan.form.find_row(each.row);
    Measure measure;
    measure.key = each.measure.empty() && row && !row->measures.empty() ? row->measures.front().key : each.measure;
    measure.estimate.value = each.value;
    measure.estimate.low = each.low;
    measure.estimate.high = each.high;
    measure.estimate.n = each.n;
    measure.estimate.unit = each.unit;
    measure.estimate.is_exact = each.is_exact;
    measure.estimate.source = each.source + ", " + each.date;
    rows[each.row].push_back(std::move(measure));
  }
}

void add_if_known(Rows& rows, const char* row, const char* measure, const Estimate& estimate) {
  if (estimate.has_data() || !estimate.note.empty()) rows[row].push_back({measure, "", estimate, {}});
}

}  // namespace

std::string measure_of(const plan::Slo& slo) {
  return fmt::format("{}_p{:.0f}", plan::name_of(slo.metric), slo.share * 100);
}

namespace {

/// The gate objects to how runs went (requests that failed, a load that was not reached for it) and neither to the load
/// nor to our own client: of the candidate's own, figures can still be said.
bool is_refused_for_failures(const Serving& serving) {
  if (!is_refused(serving)) return false;
  const std::vector<std::string>& refused = serving.comparison->gate.refused;
  const auto is_of_runs = [](const std::string& key) {
    return key.starts_with("runs.") && key != "runs.instrument" && key != "runs.client_bound";
  };
  return std::find(refused.begin(), refused.end(), "runs.failures") != refused.end() &&
         std::all_of(refused.begin(), refused.end(), is_of_runs);
}

/// Where every limit is met by its share of all attempted requests, all of them together are by 1 − Σ (1 − share) at
/// least (Bonferroni). So an attainment that is surely below says that a limit is missed, failures counted.
bool surely_misses(const Serving& serving, const std::vector<plan::Slo>& slos) {
  const auto attainment = figure_of(*serving.other, "attainment");
  double least = 1;
  for (const plan::Slo& each : slos) least -= 1 - each.share;
  return attainment && attainment->high && *attainment->high < least;
}

}  // namespace

matrix::Pilot judge_pilot(const Findings& findings, const Workload& workload, const std::string& candidate) {
  matrix::Pilot out;
  out.name = workload.name;
  const Serving* const serving = findings.find(workload.name, candidate);
  if (workload.slos.empty()) {
    out.note = say(EvaluateMsg::pilot_no_limits);
    return out;
  }
  const bool has_own = serving && serving->other && (!is_refused(*serving) || is_refused_for_failures(*serving));
  if (has_own && surely_misses(*serving, workload.slos)) {
    out.verdict = matrix::Verdict::fail;
    out.source = ids_of(*serving->other);
    out.note = say(EvaluateMsg::pilot_attainment);
    return out;
  }
  if (!serving || !serving->other || is_refused(*serving)) {
    out.note = serving ? serving->why_none.said() : "";
    return out;
  }
  out.verdict = matrix::Verdict::pass;
  out.source = ids_of(*serving->other);
  for (const plan::Slo& slo : workload.slos) {
    const Measure measure = limit_measure(*serving, slo);
    const matrix::Verdict verdict = matrix::judge(measure.estimate, *measure.target);
    if (verdict != matrix::Verdict::pass && out.note.empty()) out.note = slo.text;
    out.verdict = matrix::worse(out.verdict, verdict);
  }
  return out;
}

matrix::Inputs inputs_for(const Plan& plan, const Findings& findings, const System& candidate, const Beside& beside) {
  matrix::Inputs out;
  out.form = plan.form;
  out.candidate = candidate.name;
  out.baseline = plan.systems.front().name;
  out.required = plan.required;
  out.targets = plan.targets;
  out.knock_outs = candidate.knock_outs;
  // Where identical answers are asked for, and no task scores, the row is about those.
  const bool has_brought = std::any_of(plan.results.begin(), plan.results.end(),
                                       [](const BroughtResult& each) { return each.row == "correctness"; });
  if (plan.correctness.tasks.empty() && plan.correctness.agreement_target && !has_brought)
    out.targets.emplace("score_ratio", matrix::Target());
  Rows& rows = out.measured;
  add_correctness(plan, findings, candidate.name, rows);
  for (const Serving& each : findings.serving) {
    if (each.candidate == candidate.name) add_serving(plan, each, rows);
  }
  rows["flexibility"].push_back({"worst_ratio", "", worst_ratio(rows["serving_throughput"]), {}});
  add_if_known(rows, "unit_cost", "cost_ratio", beside.cost_ratio);
  add_if_known(rows, "migration_cost", "engineer_months", beside.engineer_months);
  add_if_known(rows, "migration_cost", "upkeep_per_year", beside.upkeep_months);
  add_brought(plan, candidate.name, rows);
  for (const Workload& each : plan.workloads) {
    if (each.is_pilot) out.pilots.push_back(judge_pilot(findings, each, candidate.name));
  }
  return out;
}

}  // namespace scoville::evaluate
