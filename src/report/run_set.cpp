#include "report/run_set.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "plan/plan_json.hpp"

namespace scoville::report {
namespace {

using analyse::Drift;
using text::Msg;
using text::say_in;

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
  const text::Phrase rate = text::phrase(Msg::set_series_rate);
  const bool is_ttft = drift.series == Drift::Series::ttft, is_tpot = drift.series == Drift::Series::tpot;
  const text::Phrase series = is_ttft   ? text::Phrase{"TTFT P50", "TTFT P50"}
                              : is_tpot ? text::Phrase{"TPOT P50", "TPOT P50"}
                                        : rate;
  const Msg key = drift.rises ? Msg::set_doubt_rises : Msg::set_doubt_falls;
  const std::string p = fmt::format("{:.2g}", drift.p);
  return {"drifting_over_runs",
          {say_in(text::Language::english, key, series.english, p),
           say_in(text::Language::chinese, key, series.chinese, p)}};
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
