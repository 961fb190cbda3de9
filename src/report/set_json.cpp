#include <cmath>

#include "report/run_set.hpp"

namespace scoville::report {
namespace {

using analyse::SetFigure;
using analyse::SetFigures;

using ToJson = json::value (*)(std::optional<double>);

/// Nanoseconds are whole; the median of an even number of runs is rounded.
json::value whole_or_null(std::optional<double> value) {
  if (!value) return nullptr;
  return std::llround(*value);
}

json::object figure_json(const SetFigure& figure, ToJson value) {
  json::array values;
  for (const std::optional<double>& each : figure.values) values.push_back(value(each));
  json::object out{{"median", value(figure.median)},
                   {"min", value(figure.smallest)},
                   {"max", value(figure.largest)},
                   {"cv", number_or_null(figure.cv)},
                   {"low", value(figure.low)},
                   {"high", value(figure.high)},
                   {"level", number_or_null(figure.level)},
                   {"n", figure.n},
                   {"values", std::move(values)}};
  if (figure.reason != analyse::NoFigure::none) out["reason"] = json::string(name_of(figure.reason));
  return out;
}

json::object quantile_json(const SetFigure& figure) {
  json::object out = figure_json(figure, whole_or_null);
  out["supported"] = figure.is_supported;
  return out;
}

json::object rate_json(const analyse::RateOverRuns& rate) {
  return {{"unit", "1/s"},
          {"full", figure_json(rate.full, number_or_null)},
          {"steady", figure_json(rate.steady, number_or_null)}};
}

json::object metrics_json(const SetFigures& figures) {
  json::object out;
  for (std::size_t i = 0; i < analyse::kLatencyCount; ++i) {
    const analyse::LatencyOverRuns& latency = figures.latencies[i];
    out[name_of(static_cast<analyse::Latency>(i))] =
        json::object{{"unit", "ns"}, {"p50", quantile_json(latency.p50)}, {"p95", quantile_json(latency.p95)}};
  }
  out["output_tokens_per_s"] = rate_json(figures.output_tokens_per_s);
  out["total_tokens_per_s"] = rate_json(figures.total_tokens_per_s);
  out["requests_per_s"] = rate_json(figures.requests_per_s);
  if (figures.attainment) {
    json::object attainment = figure_json(*figures.attainment, number_or_null);
    attainment["unit"] = "1";
    out["attainment"] = std::move(attainment);
  }
  return out;
}

json::value text_or_null(const std::string& text) { return text.empty() ? json::value(nullptr) : json::value(text); }

json::object head_json(const RunSet& set) {
  const SetView view = view_of(set);
  json::array ids, warnings;
  for (const RunOfSet* each : view.counted) ids.push_back(json::string(each->subject.run_id));
  for (const dataset::Warning& each : set_warnings(set, view))
    warnings.push_back(json::object{{"code", each.code}, {"message", each.sentence.english}});
  json::object out{{"id", text_or_null(set.id)}, {"tag", text_or_null(set.tag)}, {"runs", std::move(ids)}};
  out["interval"] =
      json::object{{"method", "order_statistics"}, {"level", number_or_null(analyse::level_of(view.figures.runs))}};
  out["steady"] = json::object{{"steady", view.figures.steady},
                               {"drifting", view.figures.drifting},
                               {"unknown", view.figures.runs - view.figures.steady - view.figures.drifting}};
  out["metrics"] = view.is_one_plan ? json::value(metrics_json(view.figures)) : json::value(nullptr);
  out["warnings"] = std::move(warnings);
  return out;
}

}  // namespace

json::object set_json(const RunSet& set) {
  json::array runs;
  for (const RunOfSet& each : set.runs) runs.push_back(bench_json(each.analysis, each.plan, each.shape, each.subject));
  return {{"schema", "scoville.set/1"}, {"set", head_json(set)}, {"runs", std::move(runs)}};
}

}  // namespace scoville::report
