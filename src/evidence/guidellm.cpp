#include <array>

#include "evidence/figures.hpp"
#include "evidence/readers.hpp"

namespace scoville::evidence {
namespace {

constexpr double kMillis = 1000;
constexpr std::array<Theirs, 12> kMetrics{{
    {"time_to_first_token_ms", Metric::ttft, Definition::ttft_text_from_send, Unit::seconds, kMillis},
    {"time_to_first_output_token_ms", Metric::ttfa, Definition::ttfa_text_from_send, Unit::seconds, kMillis},
    {"inter_token_latency_ms", Metric::tpot, Definition::tpot_weighted, Unit::seconds, kMillis},
    {"time_per_output_token_ms", Metric::ntpot, Definition::ntpot_weighted, Unit::seconds, kMillis},
    {"request_latency", Metric::e2e, Definition::e2e_last_content, Unit::seconds},
    {"requests_per_second", Metric::requests_per_s, Definition::rate_window, Unit::per_second},
    {"output_tokens_per_second", Metric::output_tokens_per_s, Definition::rate_window, Unit::tokens_per_second},
    {"prompt_tokens_per_second", Metric::input_tokens_per_s, Definition::rate_window, Unit::tokens_per_second},
    {"tokens_per_second", Metric::total_tokens_per_s, Definition::rate_window, Unit::tokens_per_second},
    {"request_concurrency", Metric::in_flight_mean, Definition::in_flight_sum, Unit::requests},
    {"prompt_token_count", Metric::mean_prompt_tokens, Definition::tokens_a_request, Unit::tokens},
    {"output_token_count", Metric::mean_output_tokens, Definition::tokens_a_request, Unit::tokens},
}};

/// Its percentiles have no point: "p001" is P0.1, "p01" P1, "p99" P99, "p999" P99.9. The older "p95.0" has one.
std::string percentile_without_point(std::string_view word) {
  if (!word.starts_with('p')) return "";
  word.remove_prefix(1);
  if (word.size() == 3 && word.find('.') == std::string_view::npos)
    return percentile(std::string(word.substr(0, 2)) + "." + std::string(word.substr(2)));
  return percentile(word);
}

/// Of the requests that succeeded; older files have no division by status.
Members successes(const Members& metric) { return metric.has("successful") ? metric.member("successful") : metric; }

void put_metric(ExternalResult& out, const Members& metrics, const Theirs& what) {
  if (!metrics.has(what.name)) return;
  const Members of = successes(metrics.member(what.name));
  if (!is_latency(what.metric)) {
    put(out, of, "mean", what, what.unit == Unit::tokens ? "mean" : "");
    return;
  }
  const Members percentiles = of.member("percentiles");
  put_statistics(out, of, what, percentile_without_point);
  put_statistics(out, percentiles, what, percentile_without_point);
}

void read_counts(ExternalResult& out, const Members& metrics) {
  const Members totals = metrics.member("request_totals");
  out.counts = {totals.count("successful"), totals.count("errored"), totals.count("incomplete")};
}

/// The strategy stands in the settings of the benchmark, under names that have moved between versions.
void read_load(ExternalResult& out, const Members& benchmark) {
  const auto* const config = benchmark.object().if_contains("config");
  if (!config || !config->is_object()) return;
  const Members said = benchmark.member("config");
  const auto* const strategy = said.object().if_contains("strategy");
  if (!strategy || !strategy->is_object()) return;
  const Members of = said.member("strategy");
  out.load.arrivals = of.text(of.has("type_") ? "type_" : "kind");
  if (out.load.arrivals == "throughput") out.load.is_unlimited = true;
  if (of.has("rate")) out.load.requests_per_s = of.number("rate");
  if (of.has("streams")) out.load.concurrency = of.count("streams");
}

/// "model" and "target" of an object, if it is one and has them as texts.
void take_target(ExternalResult& out, const json::value* settings) {
  const json::object* const object = settings ? settings->if_object() : nullptr;
  if (!object) return;
  const auto take = [&](const char* key, std::string& to) {
    const auto* const found = object->if_contains(key);
    if (found && found->is_string() && to.empty()) to = found->get_string();
  };
  take("model", out.model);
  take("target", out.endpoint);
  take_target(out, object->if_contains("backend"));
}

ExternalResult read_benchmark(const Members& file, const Members& benchmark) {
  ExternalResult out;
  out.tool = Tool::guidellm;
  if (file.has("metadata")) out.tool_version = file.member("metadata").text("guidellm_version");
  for (const char* key : {"config", "args"}) {
    take_target(out, file.object().if_contains(key));
    take_target(out, benchmark.object().if_contains(key));
  }
  read_load(out, benchmark);
  const Members metrics = benchmark.member("metrics");
  read_counts(out, metrics);
  if (benchmark.has("duration")) out.duration_s = benchmark.number("duration");
  out.duration_rule = DurationRule::window;
  out.quantile_rule = QuantileRule::step;
  out.token_source = TokenSource::usage_chunks;
  for (const Theirs& what : kMetrics) put_metric(out, metrics, what);
  return out;
}

}  // namespace

bool is_guidellm(const json::object& object) {
  const auto* const benchmarks = object.if_contains("benchmarks");
  if (!benchmarks || !benchmarks->is_array()) return false;
  const auto* const metadata = object.if_contains("metadata");
  if (metadata && metadata->is_object() && metadata->get_object().contains("guidellm_version")) return true;
  if (benchmarks->get_array().empty() || !benchmarks->get_array()[0].is_object()) return false;
  const auto* const metrics = benchmarks->get_array()[0].get_object().if_contains("metrics");
  return metrics && metrics->is_object() && metrics->get_object().contains("time_to_first_token_ms");
}

std::vector<ExternalResult> read_guidellm(const Members& file) {
  std::vector<ExternalResult> out;
  const json::array* const benchmarks = file.list("benchmarks");
  for (std::size_t i = 0; benchmarks && i < benchmarks->size(); ++i) {
    const Members benchmark((*benchmarks)[i], "benchmarks[" + std::to_string(i) + "]", file.fault());
    out.push_back(read_benchmark(file, benchmark));
  }
  if (out.empty()) file.fault().set("benchmarks", text::Msg::external_expected_benchmarks);
  return out;
}

}  // namespace scoville::evidence
