#include "report/comparison.hpp"

namespace scoville::report {
namespace {

using decide::Comparison;
using decide::MetricComparison;

json::array texts(const std::vector<std::string>& list) {
  json::array out;
  for (const std::string& each : list) out.push_back(json::string(each));
  return out;
}

json::value text_or_null(const std::string& text) { return text.empty() ? json::value(nullptr) : json::value(text); }

json::object arm_json(const decide::Arm& arm) {
  json::array runs;
  for (const decide::ArmRun& each : arm.runs) runs.push_back(json::string(each.id));
  return {{"name", arm.name},     {"url", arm.setup.url},    {"model", arm.setup.shape.model},
          {"n", arm.runs.size()}, {"runs", std::move(runs)}, {"left_out", arm.left_out}};
}

json::object gate_json(const decide::Gate& gate) {
  json::array fields;
  for (const decide::GateField& each : gate.fields) {
    fields.push_back(json::object{{"field", each.key},
                                  {"class", name_of(each.field_class)},
                                  {"state", name_of(each.state)},
                                  {"base", text_or_null(each.base)},
                                  {"candidate", text_or_null(each.candidate)},
                                  {"allowed", each.is_allowed},
                                  {"code", text_or_null(each.code)}});
  }
  return {{"result", name_of(gate.result)},       {"scope", name_of(gate.scope)},     {"refused", texts(gate.refused)},
          {"unverified", texts(gate.unverified)}, {"differs", texts(gate.differs)},   {"allowed", texts(gate.allowed)},
          {"noted", texts(gate.noted)},           {"per_device", gate.is_per_device}, {"fields", std::move(fields)}};
}

json::object figure_json(const analyse::SetFigure& figure) {
  json::array values;
  for (const std::optional<double>& each : figure.values) values.push_back(number_or_null(each));
  return {{"value", number_or_null(figure.median)},
          {"low", number_or_null(figure.low)},
          {"high", number_or_null(figure.high)},
          {"level", number_or_null(figure.level)},
          {"n", figure.n},
          {"cv", number_or_null(figure.cv)},
          {"supported", figure.is_supported},
          {"values", std::move(values)}};
}

json::value ratio_json(const std::optional<stats::Estimate>& ratio) {
  if (!ratio) return nullptr;
  json::object out{{"value", ratio->value}, {"low", nullptr}, {"high", nullptr}, {"level", nullptr}};
  if (ratio->interval) {
    out["low"] = ratio->interval->lower;
    out["high"] = ratio->interval->upper;
    out["level"] = ratio->interval->coverage;
  }
  return out;
}

json::value resolve_json(const std::optional<decide::Resolve>& resolve) {
  if (!resolve) return nullptr;
  return json::object{{"runs", resolve->runs}, {"minutes", number_or_null(resolve->minutes)}};
}

json::object metric_json(const MetricComparison& metric) {
  json::object out{{"unit", metric.metric->unit},
                   {"better", metric.metric->better == stats::Better::lower ? "lower" : "higher"},
                   {"primary", metric.is_primary},
                   {"per_device", metric.is_per_device},
                   {"base", figure_json(metric.base)},
                   {"candidate", figure_json(metric.candidate)},
                   {"ratio", ratio_json(metric.ratio)},
                   {"p", number_or_null(metric.p)},
                   {"p_adjusted", number_or_null(metric.p_adjusted)},
                   {"mde", number_or_null(metric.mde)},
                   {"margin", metric.margin},
                   {"noise_floor", number_or_null(metric.floor)},
                   {"verdict", name_of(metric.verdict)},
                   {"reason", nullptr},
                   {"resolve", resolve_json(metric.resolve)},
                   {"ratio_of_medians", number_or_null(metric.median_ratio)},
                   {"cliffs_delta", number_or_null(metric.cliffs_delta)},
                   {"p_permutation", number_or_null(metric.permutation_p)}};
  if (metric.reason != decide::NoVerdict::none) out["reason"] = json::string(name_of(metric.reason));
  return out;
}

json::object one_json(const Comparison& comparison, const decide::Arm& base, const decide::Arm& candidate) {
  json::object out{{"base", arm_json(base)}, {"candidate", arm_json(candidate)}, {"gate", gate_json(comparison.gate)}};
  if (comparison.gate.result == decide::GateResult::refuse) {
    out["metrics"] = nullptr;
    return out;
  }
  json::object metrics;
  for (const MetricComparison& each : comparison.metrics) metrics[each.metric->key] = metric_json(each);
  out["metrics"] = std::move(metrics);
  return out;
}

json::object ranking_json(const decide::Ranking& ranking) {
  json::array arms, pairs;
  for (const decide::Ranked& each : ranking.arms) {
    arms.push_back(json::object{{"name", each.name},
                                {"rank", each.rank},
                                {"median", number_or_null(each.median)},
                                {"better", texts(each.better)},
                                {"tied", texts(each.tied)}});
  }
  for (const decide::RankedPair& each : ranking.pairs) {
    json::object pair{{"base", each.base}, {"candidate", each.candidate}};
    pair["comparison"] = metric_json(each.comparison);
    pairs.push_back(std::move(pair));
  }
  return {{"metric", ranking.metric},
          {"family", ranking.family},
          {"too_large", ranking.is_too_large},
          {"arms", std::move(arms)},
          {"pairs", std::move(pairs)}};
}

}  // namespace

json::object comparison_json(const CompareView& view) {
  const Comparison& first = view.comparisons.front();
  json::object out{
      {"schema", "scoville.comparison/1"},
      {"design", name_of(first.design)},
      {"family",
       {{"primary", texts(view.primary)}, {"size", view.family}, {"alpha", view.alpha}, {"level", first.level}}},
      {"one_machine", first.is_one_machine}};
  if (view.comparisons.size() == 1) {
    for (auto& [key, value] : one_json(first, view.arms[0], view.arms[1])) out[key] = std::move(value);
  } else {
    json::array all;
    for (std::size_t i = 0; i < view.comparisons.size(); ++i)
      all.push_back(one_json(view.comparisons[i], view.arms[0], view.arms[i + 1]));
    out["comparisons"] = std::move(all);
    out["ranking"] = view.ranking ? json::value(ranking_json(*view.ranking)) : json::value(nullptr);
  }
  json::array warnings;
  for (const dataset::Warning& each : view.warnings)
    warnings.push_back(json::object{{"code", each.code}, {"message", each.sentence.english}});
  out["warnings"] = std::move(warnings);
  return out;
}

json::object metric_comparison_json(const MetricComparison& metric) { return metric_json(metric); }
json::object arm_figure_json(const analyse::SetFigure& figure) { return figure_json(figure); }

json::object noise_json(const decide::NoiseFloor& floor, const decide::HarnessHealth& health) {
  json::object out = decide::to_json(floor);
  out["harness"] = json::object{{"tests", health.tests},
                                {"differences", health.differences},
                                {"chance", number_or_null(health.chance)},
                                {"broken", health.is_broken}};
  return out;
}

}  // namespace scoville::report
