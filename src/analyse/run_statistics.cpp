#include "analyse/run_statistics.hpp"

#include <algorithm>

#include "base/json_fields.hpp"
#include "base/version.hpp"

namespace scoville::analyse {
namespace {

constexpr std::string_view kSchema = "scoville.statistics/2";
constexpr std::array<std::string_view, 3> kVerdicts{"ok", "suspect", "bottleneck"};
constexpr std::array<std::string_view, 5> kSteadyVerdicts{"steady", "drifting_up", "drifting_down", "staircase",
                                                          "not_found"};

/// The warm-up that the run was asked to find did not end in a level.
bool lacks_level(const Analysis& analysis) {
  return analysis.warmup &&
         (drifts(analysis.warmup->verdict) || analysis.warmup->verdict == stats::SteadyVerdict::not_found);
}

RunFigure figure_at(const Metric& metric, double p) {
  const Quantile* const quantile = metric.at(p);
  if (!quantile || !quantile->value) return {std::nullopt, quantile && quantile->is_supported};
  return {static_cast<double>(quantile->value->count()), quantile->is_supported};
}

LatencyFigures figures_of(const Metric& metric) {
  return {figure_at(metric, 0.5), figure_at(metric, 0.95), figure_at(metric, 0.99)};
}

std::vector<Usage> usage_of(const run::RunResult& run) {
  std::vector<Usage> out;
  for (const event::RequestRecord& each : run.records) {
    if (out.size() == kMostUsages) break;
    if (!each.succeeded() || !each.prompt_tokens || !each.n_out) continue;
    out.push_back({each.index, *each.prompt_tokens, *each.n_out});
  }
  return out;
}

bool warns_of(const Analysis& analysis, Doubtful code) {
  return std::any_of(analysis.warnings.begin(), analysis.warnings.end(),
                     [&](const Warning& each) { return each.code == code; });
}

std::size_t empty_outputs(const Analysis& analysis) {
  for (const Warning& each : analysis.warnings) {
    if (each.code == Doubtful::empty_outputs) return each.count;
  }
  return 0;
}

template <class Archive, class Figure>
void figure_fields(Archive& archive, Figure& figure) {
  archive("value", figure.value);
  archive("supported", figure.is_supported);
}

template <class Archive, class Latencies>
void latency_fields(Archive& archive, Latencies& latencies) {
  for (std::size_t i = 0; i < kLatencyCount; ++i) {
    archive.nested(name_of(static_cast<Latency>(i)), [&](auto& inner) {
      inner.nested("p50", [&](auto& one) { figure_fields(one, latencies[i].p50); });
      inner.nested("p95", [&](auto& one) { figure_fields(one, latencies[i].p95); });
      inner.nested("p99", [&](auto& one) { figure_fields(one, latencies[i].p99); });
    });
  }
}

template <class Archive, class Statistics>
void fields(Archive& archive, Statistics& all) {
  archive("method_version", all.method_version);
  archive("attempted", all.attempted);
  archive("succeeded", all.succeeded);
  archive("timeouts", all.timeouts);
  archive("short_outputs", all.short_outputs);
  archive("empty_outputs", all.empty_outputs);
  archive("length_ns", all.length);
  archive.named("instrument", all.instrument, kVerdicts);
  archive("schedule_met", all.schedule_met);
  archive("reached_concurrency", all.reached_concurrency);
  archive("interrupted", all.was_interrupted);
  archive("drifting", all.is_drifting);
  archive.named("steady_verdict", all.steady_verdict, kSteadyVerdicts);
  archive.nested("latency_ns", [&](auto& inner) { latency_fields(inner, all.latencies); });
  archive("output_tokens_per_s", all.output_tokens_per_s);
  archive("total_tokens_per_s", all.total_tokens_per_s);
  archive("requests_per_s", all.requests_per_s);
  archive("attainment", all.attainment);
  archive("goodput_per_s", all.goodput_per_s);
  archive("mean_prompt_tokens", all.mean_prompt_tokens);
  archive("mean_output_tokens", all.mean_output_tokens);
  archive("cached_share", all.cached_share);
}

/// Three columns: a list of numbers each.
json::object usage_json(const std::vector<Usage>& usage) {
  json::array index, prompt, output;
  for (const Usage& each : usage) {
    index.push_back(each.index);
    prompt.push_back(each.prompt_tokens);
    output.push_back(each.output_tokens);
  }
  return {{"index", std::move(index)}, {"prompt_tokens", std::move(prompt)}, {"output_tokens", std::move(output)}};
}

bool read_usage(const json::value& value, std::vector<Usage>& out) {
  std::vector<std::uint64_t> index;
  std::vector<std::int64_t> prompt, output;
  JsonIn in(value, "usage");
  in("index", index);
  in("prompt_tokens", prompt);
  in("output_tokens", output);
  if (!in.status() || index.size() != prompt.size() || index.size() != output.size()) return false;
  for (std::size_t i = 0; i < index.size(); ++i) out.push_back({index[i], prompt[i], output[i]});
  return true;
}

}  // namespace

RunStatistics statistics_of(const run::RunResult& run, const Analysis& analysis) {
  RunStatistics out;
  out.method_version = kMethodVersion;
  out.attempted = analysis.attempted;
  out.succeeded = analysis.succeeded;
  for (const event::Failure each : {event::Failure::timeout_idle, event::Failure::timeout_request})
    out.timeouts += analysis.failed[static_cast<std::size_t>(each)];
  out.short_outputs = analysis.short_outputs;
  out.empty_outputs = empty_outputs(analysis);
  out.length = analysis.full.length();
  out.instrument = analysis.instrument.verdict;
  out.schedule_met = analysis.schedule_met;
  out.reached_concurrency = !warns_of(analysis, Doubtful::concurrency_not_reached);
  out.was_interrupted = run.was_interrupted;
  out.is_drifting = lacks_level(analysis);
  out.steady_verdict = analysis.validity.verdict;
  for (std::size_t i = 0; i < kLatencyCount; ++i) out.latencies[i] = figures_of(analysis.latencies[i]);
  out.output_tokens_per_s = analysis.rates.output_tokens_per_s.full;
  out.total_tokens_per_s = analysis.rates.total_tokens_per_s.full;
  out.requests_per_s = analysis.rates.requests_per_s.full;
  if (analysis.goodput) {
    out.attainment = analysis.goodput->counts.attainment;
    out.goodput_per_s = analysis.goodput->counts.goodput;
  }
  out.mean_prompt_tokens = analysis.mean_prompt_tokens;
  out.mean_output_tokens = analysis.mean_output_tokens;
  if (analysis.cached) out.cached_share = analysis.cached->share;
  out.usage = usage_of(run);
  return out;
}

json::object to_json(const RunStatistics& statistics) {
  JsonOut out;
  fields(out, statistics);
  json::object object = std::move(out).object();
  object["schema"] = json::string(kSchema);
  object["usage"] = usage_json(statistics.usage);
  return object;
}

std::optional<RunStatistics> statistics_from(const json::value& value) {
  const json::object* const object = value.if_object();
  if (!object) return std::nullopt;
  const json::value* const schema = object->if_contains("schema");
  if (!schema || !schema->is_string() || schema->as_string() != kSchema) return std::nullopt;
  RunStatistics out;
  JsonIn in(value, "statistics");
  fields(in, out);
  if (!in.status() || out.method_version != kMethodVersion) return std::nullopt;
  const json::value* const usage = object->if_contains("usage");
  if (!usage || !read_usage(*usage, out.usage)) return std::nullopt;
  return out;
}

}  // namespace scoville::analyse
