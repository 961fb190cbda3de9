#include "report/cells.hpp"
#include "report/comparison.hpp"
#include "report/history.hpp"

namespace scoville::report {
namespace {

using decide::Change;
using decide::History;
using decide::HistoryPoint;

json::value text_or_null(const std::string& text) { return text.empty() ? json::value(nullptr) : json::value(text); }

json::array changes_json(const std::vector<Change>& changes) {
  json::array out;
  for (const Change& each : changes) {
    out.push_back(
        json::object{{"field", each.key}, {"before", text_or_null(each.before)}, {"after", text_or_null(each.after)}});
  }
  return out;
}

json::object point_json(const HistoryPoint& point) {
  json::array runs;
  for (const decide::ArmRun& each : point.arm.runs) runs.push_back(json::string(each.id));
  return {{"name", point.arm.name},
          {"started", utc(point.arm.runs.front().started)},
          {"runs", std::move(runs)},
          {"left_out", point.arm.left_out},
          {"figure", arm_figure_json(point.figure)},
          {"output_tokens_per_s", number_or_null(point.output_tokens_per_s.median)},
          {"ttft_ns", number_or_null(point.ttft.median)},
          {"used", point.is_used()},
          {"refused", changes_json(point.refused)},
          {"changes", changes_json(point.changes)}};
}

json::object step_json(const decide::Step& step, const History& history) {
  return {{"before", history.points[step.before].arm.name},
          {"after", history.points[step.after].arm.name},
          {"change", step.change},
          {"worse", step.is_worse},
          {"p", step.p},
          {"changes", changes_json(history.points[step.after].changes)}};
}

json::object newest_json(const History& history) {
  json::array plateau;
  for (const std::size_t i : history.plateau) plateau.push_back(json::string(history.points[i].arm.name));
  json::object out{{"name", history.points.back().arm.name},
                   {"outcome", name_of(history.outcome)},
                   {"plateau", std::move(plateau)},
                   {"plateau_runs", history.newest ? history.newest->base_runs : 0},
                   {"comparison", nullptr}};
  if (const decide::MetricComparison* const metric = history.compared())
    out["comparison"] = metric_comparison_json(*metric);
  return out;
}

}  // namespace

json::object history_json(const HistoryView& view) {
  const History& history = view.history;
  json::array points, steps, warnings;
  for (const HistoryPoint& each : history.points) points.push_back(point_json(each));
  for (const decide::Step& each : history.steps) steps.push_back(step_json(each, history));
  for (const dataset::Warning& each : view.warnings)
    warnings.push_back(json::object{{"code", each.code}, {"message", each.sentence.english}});
  return {{"schema", "scoville.history/1"},
          {"tag", view.tag},
          {"metric", history.metric->key},
          {"unit", history.metric->unit},
          {"better", history.metric->better == stats::Better::lower ? "lower" : "higher"},
          {"margin", history.margin},
          {"used_runs", history.used_runs},
          {"points", std::move(points)},
          {"steps", std::move(steps)},
          {"newest", newest_json(history)},
          {"warnings", std::move(warnings)}};
}

}  // namespace scoville::report
