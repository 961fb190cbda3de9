#include "evidence/external_result.hpp"

#include <algorithm>
#include <array>

#include "base/json_fields.hpp"

namespace scoville::evidence {
namespace {

using text::Msg;
using text::say;

constexpr const char* kSchema = "scoville.external/1";
constexpr std::array<std::string_view, 11> kTools{"vllm",           "sglang",         "aiperf",          "guidellm",
                                                  "inference-perf", "evalscope",      "aisbench",        "inferencex",
                                                  "genai-bench",    "mlperf-loadgen", "mlperf-endpoints"};
constexpr std::array<std::string_view, 7> kUnits{"s", "1/s", "tokens/s", "share", "tokens", "requests", "theirs"};
constexpr std::array<std::string_view, 6> kQuantileRules{"unknown", "linear",       "floor",
                                                         "step",    "nearest_rank", "histogram"};
constexpr std::array<std::string_view, 6> kTokenSources{"unknown",   "usage_or_retokenised", "usage_or_chunks",
                                                        "requested", "retokenised",          "reported"};
constexpr std::array<std::string_view, 8> kDurationRules{
    "unknown", "first_dispatch_to_last_completion", "with_server_info",
    "window",  "first_request_to_last_response",    "stage",
    "run",     "first_issue_to_last_completion"};

template <class Archive, class Load>
void load_fields(Archive& archive, Load& load) {
  archive("requests_per_s", load.requests_per_s);
  archive("unlimited", load.is_unlimited);
  archive("concurrency", load.concurrency);
  archive("requests", load.requests);
  archive("input_tokens", load.input_tokens);
  archive("output_tokens", load.output_tokens);
  archive("arrivals", load.arrivals);
  archive("dataset", load.dataset);
}

template <class Archive, class Counted>
void count_fields(Archive& archive, Counted& counts) {
  archive("completed", counts.completed);
  archive("failed", counts.failed);
  archive("incomplete", counts.incomplete);
}

template <class Archive, class Whole>
void fields(Archive& archive, Whole& result) {
  archive.named("tool", result.tool, kTools);
  archive("tool_version", result.tool_version);
  archive("date", result.date);
  archive("model", result.model);
  archive("endpoint", result.endpoint);
  archive.nested("load", [&](auto& inner) { load_fields(inner, result.load); });
  archive.nested("counts", [&](auto& inner) { count_fields(inner, result.counts); });
  archive("failures_left_out_of_latencies", result.leaves_failures_out);
  archive("duration_s", result.duration_s);
  archive.named("duration_rule", result.duration_rule, kDurationRules);
  archive.named("quantile_rule", result.quantile_rule, kQuantileRules);
  archive.named("token_source", result.token_source, kTokenSources);
  archive("from_documentation", result.is_from_documentation);
}

json::value text_or_null(const std::string& text) { return text.empty() ? json::value(nullptr) : json::value(text); }

json::object figure_json(const Figure& figure) {
  const DefinitionInfo& info = info_of(figure.definition);
  return {{"metric", figure.metric == Metric::none ? json::value(nullptr) : json::value(name_of(figure.metric))},
          {"statistic", text_or_null(figure.statistic)},
          {"value", number_or_null(figure.value)},
          {"unit", name_of(figure.unit)},
          {"as", figure.as},
          {"their_name", figure.their_name},
          {"definition", info.code},
          {"comparable", name_of(info.comparable)},
          {"conversion", text_or_null(figure.conversion)},
          {"recomputed_from", figure.recomputed ? json::value(figure.recomputed) : json::value(nullptr)}};
}

/// What each definition that occurs means, once.
json::object definitions_json(const ExternalResult& result) {
  json::object out;
  for (const Figure& each : result.figures) {
    const DefinitionInfo& info = info_of(each.definition);
    out[info.code] = {{"comparable", name_of(info.comparable)},
                      {"measured", say_in(text::Language::english, info.words)},
                      {"against_ours", say_in(text::Language::english, info.difference)}};
  }
  return out;
}

Error damaged(const std::string& where) { return {ErrorCode::invalid_argument, where}; }

/// A text where there is one: null is the empty one.
void take_text(const json::object& from, std::string_view key, std::string& to) {
  const json::value* const found = from.if_contains(key);
  if (found && found->is_string()) to = found->as_string();
}

Result<Figure> figure_from(const json::value& value) {
  const json::object* const object = value.if_object();
  if (!object) return damaged("figures");
  Figure out;
  std::string metric, unit, definition;
  take_text(*object, "metric", metric);
  take_text(*object, "statistic", out.statistic);
  take_text(*object, "unit", unit);
  take_text(*object, "as", out.as);
  take_text(*object, "their_name", out.their_name);
  take_text(*object, "definition", definition);
  take_text(*object, "conversion", out.conversion);
  JsonIn in(value, "figures");
  in("value", out.value);
  std::optional<std::uint64_t> recomputed;
  in("recomputed_from", recomputed);
  out.recomputed = recomputed.value_or(0);
  const auto known_metric = metric.empty() ? std::optional(Metric::none) : metric_from(metric);
  const auto known_definition = definition_from(definition);
  const auto known_unit = std::find(kUnits.begin(), kUnits.end(), unit);
  if (!in.status() || !known_metric || !known_definition || known_unit == kUnits.end()) return damaged("figures");
  out.metric = *known_metric;
  out.definition = *known_definition;
  out.unit = static_cast<Unit>(known_unit - kUnits.begin());
  return out;
}

}  // namespace

std::string_view name_of(Tool tool) { return kTools[static_cast<std::size_t>(tool)]; }
std::string_view name_of(Unit unit) { return kUnits[static_cast<std::size_t>(unit)]; }

std::string_view label(Tool tool) {
  constexpr std::array<std::string_view, 11> labels{
      "vLLM bench serve", "SGLang bench_serving", "AIPerf",      "guidellm",       "inference-perf",  "EvalScope perf",
      "AISBench",         "InferenceX",           "genai-bench", "MLPerf LoadGen", "MLPerf Endpoints"};
  return labels[static_cast<std::size_t>(tool)];
}

std::string said(QuantileRule rule) {
  constexpr std::array<Msg, 6> words{Msg::external_quantile_unknown, Msg::external_quantile_linear,
                                     Msg::external_quantile_floor,   Msg::external_quantile_step,
                                     Msg::external_quantile_nearest, Msg::external_quantile_histogram};
  return say(words[static_cast<std::size_t>(rule)]);
}

std::string said(TokenSource source) {
  constexpr std::array<Msg, 6> words{Msg::external_tokens_unknown,      Msg::external_tokens_usage_retokenised,
                                     Msg::external_tokens_usage_chunks, Msg::external_tokens_requested,
                                     Msg::external_tokens_retokenised,  Msg::external_tokens_reported};
  return say(words[static_cast<std::size_t>(source)]);
}

std::string said(DurationRule rule) {
  constexpr std::array<Msg, 8> words{Msg::external_duration_unknown,     Msg::external_duration_dispatch,
                                     Msg::external_duration_server_info, Msg::external_duration_window,
                                     Msg::external_duration_responses,   Msg::external_duration_stage,
                                     Msg::external_duration_run,         Msg::external_duration_issue};
  return say(words[static_cast<std::size_t>(rule)]);
}

json::object to_json(const ExternalResult& result) {
  JsonOut out;
  fields(out, result);
  json::array figures, files;
  for (const Figure& each : result.figures) figures.push_back(figure_json(each));
  for (const SourceFile& each : result.files) files.push_back({{"name", each.name}, {"sha256", each.sha256}});
  json::object body{{"schema", kSchema}};
  for (auto& [key, value] : std::move(out).object()) body[key] = value;
  body["files"] = std::move(files);
  body["definitions"] = definitions_json(result);
  body["figures"] = std::move(figures);
  return body;
}

Result<ExternalResult> external_from(const json::value& body) {
  const json::object* const object = body.if_object();
  std::string schema;
  if (object) take_text(*object, "schema", schema);
  if (schema != kSchema) return damaged("schema");
  ExternalResult out;
  JsonIn in(body, "");
  fields(in, out);
  if (const Status read = in.status(); !read) return read.error();
  const json::value *const figures = object->if_contains("figures"), *const files = object->if_contains("files");
  if (!figures || !figures->is_array() || !files || !files->is_array()) return damaged("figures");
  for (const json::value& each : figures->get_array()) {
    Result<Figure> figure = figure_from(each);
    if (!figure) return figure.error();
    out.figures.push_back(std::move(*figure));
  }
  for (const json::value& each : files->get_array()) {
    if (!each.is_object()) return damaged("files");
    take_text(each.get_object(), "name", out.files.emplace_back().name);
    take_text(each.get_object(), "sha256", out.files.back().sha256);
  }
  return out;
}

const Figure* find(const ExternalResult& result, Metric metric, std::string_view statistic, bool recomputed) {
  for (const bool wanted : {recomputed, !recomputed}) {
    for (const Figure& each : result.figures) {
      if (each.metric == metric && each.statistic == statistic && (each.recomputed > 0) == wanted) return &each;
    }
  }
  return nullptr;
}

}  // namespace scoville::evidence
