#include "report/run_set.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "plan/plan_json.hpp"

namespace scoville::report {
namespace {

using analyse::Drift;
using text::Msg;

/// Equal for runs that repeat each other.
std::string plan_of(const RunOfSet& run) {
  json::object plan{{"load", plan::to_json(run.plan)},
                    {"shape", plan::to_json(run.shape)},
                    {"url", run.subject.url},
                    {"dataset", run.subject.dataset_hash},
                    {"seed", run.subject.seed}};
  if (run.analysis.goodput) plan["limits"] = plan::to_json(run.analysis.goodput->limits);
  return compact(plan);
}

dataset::Warning sentence(const Drift& drift) {
  const char* series = drift.series == Drift::Series::ttft   ? "TTFT P50"
                       : drift.series == Drift::Series::tpot ? "TPOT P50"
                                                             : "output_tokens_per_s";
  return dataset::make_warning("drifting_over_runs", drift.rises ? Msg::set_doubt_rises : Msg::set_doubt_falls, series,
                               fmt::format("{:.2g}", drift.p));
}

}  // namespace

SetView view_of(const RunSet& set) {
  SetView view;
  for (const RunOfSet& each : set.runs) {
    view.is_one_plan = view.is_one_plan && plan_of(each) == plan_of(set.runs.front());
    if (!each.was_interrupted) view.counted.push_back(&each);
  }
  std::vector<const analyse::Analysis*> analyses;
  for (const RunOfSet* each : view.counted) analyses.push_back(&each->analysis);
  view.figures = analyse::summarise_set(analyses);
  return view;
}

std::vector<dataset::Warning> set_warnings(const RunSet& set, const SetView& view) {
  std::vector<dataset::Warning> out;
  const analyse::SetFigures& figures = view.figures;
  if (figures.bottlenecks > 0) {
    out.push_back(
        dataset::make_warning("instrument_bottleneck", Msg::set_doubt_bottleneck, figures.bottlenecks, figures.runs));
  }
  if (!view.is_one_plan) out.push_back(dataset::make_warning("runs_differ", Msg::set_doubt_differ));
  if (figures.without_success > 0) {
    out.push_back(dataset::make_warning("runs_without_success", Msg::set_doubt_no_success, figures.without_success,
                                        figures.runs));
  }
  if (figures.runs < set.runs.size()) {
    out.push_back(dataset::make_warning("runs_interrupted", Msg::set_doubt_interrupted, set.runs.size() - figures.runs,
                                        set.runs.size()));
  }
  if (!view.is_one_plan) return out;
  for (const Drift& each : figures.drifts) out.push_back(sentence(each));
  return out;
}

}  // namespace scoville::report
