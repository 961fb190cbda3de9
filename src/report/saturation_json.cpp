#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/json_fields.hpp"
#include "report/saturation.hpp"

namespace scoville::report {
namespace {

using decide::Saturation;
using decide::SaturationStep;
using decide::SloFigure;

constexpr const char* kSchema = "scoville.saturation/1";
constexpr std::array<std::string_view, 3> kPurposes{"bracket", "bisect", "confirm"};
constexpr std::array<std::string_view, 4> kVerdicts{"holds", "fails", "undecided", "client_limited"};
constexpr std::array<std::string_view, 3> kDoubts{"none", "queue_grows", "drifts"};
constexpr std::array<std::string_view, 4> kOutcomes{"found", "at_least", "none", "cannot_tell"};
constexpr std::array<std::string_view, 7> kLimits{"none",          "client", "most",   "too_few_requests",
                                                  "confirmations", "drifts", "stopped"};
constexpr std::array<std::string_view, 2> kOver{"concurrency", "rate"};
constexpr std::array<std::string_view, 4> kMetrics{"ttft", "ttfa", "tpot", "e2e"};

template <class Archive, class Slo>
void slo_fields(Archive& archive, Slo& slo) {
  archive("slo", slo.text);
  archive.named("metric", slo.metric, kMetrics);
  archive("share", slo.share);
  archive("limit_ns", slo.limit);
}

template <class Archive, class Figure>
void figure_fields(Archive& archive, Figure& figure) {
  archive("value", figure.attainment);
  archive("low", figure.at_least);
  archive("high", figure.at_most);
  archive("n", figure.n);
  archive("misses", figure.misses);
  archive("inflation", figure.inflation);
  archive("effective_n", figure.effective_n);
}

template <class Archive, class Step>
void step_fields(Archive& archive, Step& step) {
  archive("load", step.ask.load);
  archive.named("purpose", step.ask.purpose, kPurposes);
  archive("requests", step.ask.requests);
  archive("warm_in", step.ask.warm_in);
  archive("pooled", step.pooled);
  archive("level", step.level);
  archive("seconds", step.seconds);
  archive.named("verdict", step.judgement.verdict, kVerdicts);
  archive.named("doubt", step.judgement.doubt, kDoubts);
  archive.nested("attainment", [&](auto& inner) { figure_fields(inner, step.judgement.joint); });
}

template <class Archive, class Run>
void run_fields(Archive& archive, Run& run) {
  archive("run", run.id);
  archive("instrument", run.instrument);
  archive("steady", run.steady);
}

template <class Archive, class View>
void head_fields(Archive& archive, View& view) {
  archive("url", view.url);
  archive("model", view.model);
  archive("set", view.set);
  archive("devices", view.devices);
  archive.named("over", view.rule.is_open_loop, kOver);
  archive("constant_arrivals", view.is_constant);
  archive("precision", view.rule.precision);
  archive("min_step_s", view.rule.min_step_s);
  archive("max_step_s", view.rule.max_step_s);
  archive("alpha", view.rule.alpha);
  archive.named("outcome", view.result.outcome, kOutcomes);
  archive.named("limit", view.result.limit, kLimits);
}

template <class Archive, class Result>
void bracket_fields(Archive& archive, Result& result) {
  archive.nested("seen", [&](auto& inner) {
    inner("low", result.low_seen);
    inner("high", result.high_seen);
  });
  archive("client_limit", result.client_limit);
  archive.nested("needed", [&](auto& inner) {
    inner("requests", result.needed_requests);
    inner("max_step_s", result.needed_s);
  });
}

json::object figure_json(const SloFigure& figure) {
  JsonOut out;
  figure_fields(out, figure);
  return std::move(out).object();
}

json::array slo_figures(const SaturationStep& step, const std::vector<plan::Slo>& slos) {
  json::array out;
  for (std::size_t i = 0; i < slos.size(); ++i) {
    json::object one = figure_json(step.judgement.slos[i]);
    one["slo"] = slos[i].text;
    out.push_back(std::move(one));
  }
  return out;
}

json::value growth_json(const std::optional<decide::Growth>& growth) {
  if (!growth) return nullptr;
  return json::object{{"per_second", growth->per_second}, {"relative", growth->relative}, {"p", growth->p}};
}

std::optional<decide::Growth> growth_from(const json::value* value) {
  if (!value || !value->is_object()) return std::nullopt;
  decide::Growth out;
  JsonIn in(*value, "growth");
  in("per_second", out.per_second);
  in("relative", out.relative);
  in("p", out.p);
  return out;
}

json::object step_json(const SaturationStep& step, const SaturationRun& run, const std::vector<plan::Slo>& slos) {
  JsonOut out;
  run_fields(out, run);
  step_fields(out, step);
  json::object object = std::move(out).object();
  object["slos"] = slo_figures(step, slos);
  object["growth"] =
      json::object{{"ttft", growth_json(step.judgement.first_token)}, {"e2e", growth_json(step.judgement.end)}};
  return object;
}

/// The answer: what is shown is its own lower end.
json::value answer_json(const Saturation& result, double per) {
  if (!result.value && !result.high) return nullptr;
  const auto each = [&](std::optional<double> load) { return load ? json::value(*load / per) : json::value(nullptr); };
  return json::object{{"value", each(result.value)}, {"low", each(result.value)}, {"high", each(result.high)}};
}

json::value attainment_json(const SaturationView& view) {
  if (!view.result.confirmed_by) return nullptr;
  const SaturationStep& step = view.result.steps[*view.result.confirmed_by];
  json::object out = figure_json(step.judgement.joint);
  out["level"] = step.level;
  out["slos"] = slo_figures(step, view.rule.slos);
  return out;
}

/// To nine digits: a number of few digits comes back from a file as it was.
void shorten(json::value& value) {
  if (value.is_double()) {
    value = std::strtod(fmt::format("{:.9g}", value.as_double()).c_str(), nullptr);
  } else if (value.is_array()) {
    for (json::value& each : value.as_array()) shorten(each);
  } else if (value.is_object()) {
    for (auto& member : value.as_object()) shorten(member.value());
  }
}

const json::array& list_of(const json::value& value, std::string_view key) {
  static const json::array none;
  const json::object* const object = value.if_object();
  const json::value* const found = object ? object->if_contains(key) : nullptr;
  const json::array* const list = found ? found->if_array() : nullptr;
  return list ? *list : none;
}

Status read_step(const json::value& value, SaturationView& view) {
  SaturationStep step;
  SaturationRun run;
  JsonIn in(value, "steps");
  run_fields(in, run);
  step_fields(in, step);
  for (const json::value& each : list_of(value, "slos")) {
    JsonIn figure(each, "steps.slos");
    figure_fields(figure, step.judgement.slos.emplace_back());
    if (!figure.status()) return figure.status();
  }
  if (step.judgement.slos.size() != view.rule.slos.size())
    return Error{ErrorCode::invalid_argument, "steps.slos: expected one for each SLO"};
  if (const json::value* const growth = value.if_object() ? value.as_object().if_contains("growth") : nullptr;
      growth && growth->is_object()) {
    step.judgement.first_token = growth_from(growth->as_object().if_contains("ttft"));
    step.judgement.end = growth_from(growth->as_object().if_contains("e2e"));
  }
  view.result.steps.push_back(std::move(step));
  view.runs.push_back(std::move(run));
  return in.status();
}

}  // namespace

json::object saturation_json(const SaturationView& view) {
  json::object out{{"schema", kSchema}};
  JsonOut head;
  head_fields(head, view);
  for (auto& [key, value] : std::move(head).object()) out[key] = value;
  if (!view.rule.is_open_loop) out["constant_arrivals"] = nullptr;
  json::array slos, steps;
  for (const plan::Slo& each : view.rule.slos) {
    JsonOut slo;
    slo_fields(slo, each);
    slos.push_back(std::move(slo).object());
  }
  out["slos"] = std::move(slos);
  out[view.rule.is_open_loop ? "rate_per_s" : "users"] = answer_json(view.result, 1);
  out["per_device"] = view.devices ? answer_json(view.result, static_cast<double>(view.devices)) : json::value(nullptr);
  out["attainment"] = attainment_json(view);
  out["confirmed_by"] = view.result.confirmed_by ? json::value(*view.result.confirmed_by) : json::value(nullptr);
  JsonOut bracket;
  bracket_fields(bracket, view.result);
  for (auto& [key, value] : std::move(bracket).object()) out[key] = value;
  for (std::size_t i = 0; i < view.result.steps.size(); ++i)
    steps.push_back(step_json(view.result.steps[i], view.runs[i], view.rule.slos));
  out["steps"] = std::move(steps);
  for (auto& member : out) shorten(member.value());
  return out;
}

Result<SaturationView> saturation_from(const json::value& value) {
  SaturationView out;
  JsonIn in(value, "saturation");
  std::string schema;
  in("schema", schema);
  if (schema != kSchema) return Error{ErrorCode::invalid_argument, "schema: expected " + std::string(kSchema)};
  json::value known = value;
  if (known.as_object()["constant_arrivals"].is_null()) known.as_object().erase("constant_arrivals");
  JsonIn head(known, "saturation");
  head_fields(head, out);
  bracket_fields(head, out.result);
  if (!head.status()) return head.status().error();
  for (const json::value& each : list_of(value, "slos")) {
    JsonIn slo(each, "slos");
    slo_fields(slo, out.rule.slos.emplace_back());
    if (!slo.status()) return slo.status().error();
  }
  for (const json::value& each : list_of(value, "steps")) {
    if (Status step = read_step(each, out); !step) return step.error();
  }
  head("confirmed_by", out.result.confirmed_by);
  head.nested(out.rule.is_open_loop ? "rate_per_s" : "users", [&](auto& inner) {
    inner("value", out.result.value);
    inner("high", out.result.high);
  });
  if (out.result.confirmed_by.value_or(0) >= std::max<std::size_t>(1, out.result.steps.size()))
    return Error{ErrorCode::invalid_argument, "confirmed_by: expected a step"};
  return out;
}

}  // namespace scoville::report
