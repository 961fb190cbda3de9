#include <array>
#include <cmath>

#include "evidence/figures.hpp"
#include "evidence/readers.hpp"

namespace scoville::evidence {
namespace {

using text::Msg;

constexpr std::array<Theirs, 13> kMetrics{{
    {"time_to_first_token", Metric::ttft, Definition::ttft_text_from_send, Unit::seconds},
    {"time_to_first_output_token", Metric::ttfa, Definition::ttfa_text_from_send, Unit::seconds},
    {"inter_token_latency", Metric::tpot, Definition::tpot_from_latency, Unit::seconds},
    {"inter_chunk_latency", Metric::icl, Definition::icl_text_chunks, Unit::seconds},
    {"request_latency", Metric::e2e, Definition::e2e_last_content, Unit::seconds},
    {"time_to_second_token", Metric::none, Definition::other, Unit::seconds},
    {"request_throughput", Metric::requests_per_s, Definition::rate_responses, Unit::per_second},
    {"output_token_throughput", Metric::output_tokens_per_s, Definition::rate_responses, Unit::tokens_per_second},
    {"total_token_throughput", Metric::total_tokens_per_s, Definition::rate_responses, Unit::tokens_per_second},
    {"goodput", Metric::goodput_per_s, Definition::goodput_rate, Unit::per_second},
    {"output_token_throughput_per_user", Metric::none, Definition::inverse_tpot, Unit::tokens_per_second},
    {"input_sequence_length", Metric::mean_prompt_tokens, Definition::tokens_a_request, Unit::tokens},
    {"output_sequence_length", Metric::mean_output_tokens, Definition::tokens_a_request, Unit::tokens},
}};

/// How many of the unit are a second; 0: it is no unit of time.
double in_a_second(std::string_view unit) {
  if (unit == "s" || unit == "sec" || unit == "seconds") return 1;
  if (unit == "ms" || unit == "milliseconds") return 1e3;
  if (unit == "us" || unit == "microseconds") return 1e6;
  return unit == "ns" || unit == "nanoseconds" ? 1e9 : 0;
}

double divisor_of(const Members& metric) {
  const double divisor = in_a_second(metric.text("unit"));
  if (divisor == 0) metric.fault().set(metric.path_of("unit"), Msg::external_expected_unit);
  return divisor == 0 ? 1 : divisor;
}

/// A count, where the file has the metric.
std::optional<std::int64_t> counted(const Members& file, std::string_view key) {
  const auto value = file.member(key).number("avg");
  return value ? std::optional(static_cast<std::int64_t>(std::llround(*value))) : std::nullopt;
}

void read_settings(ExternalResult& out, const Members& file) {
  const auto* const config = file.object().if_contains("input_config");
  if (!config || !config->is_object()) return;
  const Members input = file.member("input_config");
  const auto* const load = input.object().if_contains("loadgen");
  if (load && load->is_object()) {
    const Members said = input.member("loadgen");
    out.load.requests_per_s = said.number("request_rate");
    out.load.concurrency = said.count("concurrency");
    out.load.requests = said.count("request_count");
  }
  const auto* const endpoint = input.object().if_contains("endpoint");
  if (!endpoint || !endpoint->is_object()) return;
  const auto* const names = endpoint->get_object().if_contains("model_names");
  if (names && names->is_array() && !names->get_array().empty() && names->get_array()[0].is_string())
    out.model = names->get_array()[0].get_string();
  const auto* const url = endpoint->get_object().if_contains("url");
  if (url && url->is_string()) out.endpoint = url->get_string();
}

void put_attainment(ExternalResult& out, const Members& file) {
  const auto good = counted(file, "good_request_count");
  if (!good || !out.counts.completed) return;
  const double attempted = static_cast<double>(*out.counts.completed + out.counts.failed.value_or(0));
  if (attempted <= 0) return;
  put_value(out, static_cast<double>(*good) / attempted, "good_request_count.avg",
            {"good_request_count", Metric::attainment, Definition::attainment_attempted, Unit::share}, "",
            "good_request_count / (request_count + error_request_count)");
}

void begin(ExternalResult& out, const char* part) {
  out.tool = Tool::aiperf;
  out.part = part;
  out.duration_rule = DurationRule::responses;
  out.quantile_rule = QuantileRule::linear;
  out.token_source = TokenSource::retokenised;
}

std::optional<double> seconds(const Members& metrics, std::string_view name) {
  if (!metrics.has(name)) return std::nullopt;
  const Members metric = metrics.member(name);
  const auto value = metric.number("value");
  return value ? std::optional(*value / divisor_of(metric)) : std::nullopt;
}

void add_record(RequestValues& values, const Members& metrics) {
  const auto take = [&](std::vector<double>& to, std::optional<double> value) {
    if (value) to.push_back(*value);
  };
  const auto latency = seconds(metrics, "request_latency");
  take(values.ttft, seconds(metrics, "time_to_first_token"));
  take(values.tpot, seconds(metrics, "inter_token_latency"));
  take(values.e2e, latency);
  const auto length = metrics.member("output_sequence_length").number("value");
  if (latency && length && *length > 0) values.ntpot.push_back(*latency / *length);
  const Members gaps = metrics.member("inter_chunk_latency");
  const auto* const list = gaps.object().if_contains("value");
  if (!list || !list->is_array()) return;
  const double divisor = divisor_of(gaps);
  for (const double gap : gaps.numbers("value")) {
    if (std::isfinite(gap)) values.icl.push_back(gap / divisor);
  }
}

}  // namespace

bool is_aiperf(const json::object& object) {
  const auto* const latency = object.if_contains("request_latency");
  return (object.contains("aiperf_version") || object.contains("input_config") || object.contains("error_summary")) &&
         latency && latency->is_object() && latency->get_object().contains("unit");
}

ExternalResult read_aiperf(const Members& file) {
  ExternalResult out;
  begin(out, "summary");
  out.tool_version = file.text("aiperf_version");
  out.date = file.text("start_time");
  read_settings(out, file);
  out.counts = {counted(file, "request_count"), counted(file, "error_request_count"), std::nullopt};
  for (Theirs what : kMetrics) {
    if (!file.has(what.name)) continue;
    const Members metric = file.member(what.name);
    if (what.unit == Unit::seconds) what.divisor = divisor_of(metric);
    const bool is_one = what.metric == Metric::none ? false : !is_latency(what.metric);
    if (is_one) {
      put(out, metric, "avg", what, what.unit == Unit::tokens ? "mean" : "");
    } else {
      put_statistics(out, metric, what);
    }
  }
  if (file.has("benchmark_duration")) {
    const Members duration = file.member("benchmark_duration");
    const auto value = duration.number("avg");
    if (value) out.duration_s = *value / divisor_of(duration);
  }
  put_attainment(out, file);
  return out;
}

bool is_aiperf_record(const json::object& object) {
  const auto* const metadata = object.if_contains("metadata");
  return metadata && metadata->is_object() && object.contains("metrics") &&
         metadata->get_object().contains("request_start_ns");
}

ExternalResult read_aiperf_records(const std::vector<Members>& lines) {
  ExternalResult out;
  begin(out, "requests");
  RequestValues values;
  std::int64_t failed = 0;
  for (const Members& line : lines) {
    const std::string phase = line.member("metadata").text("benchmark_phase");
    if (!phase.empty() && phase != "profiling") continue;
    ++values.attempted;
    const auto* const error = line.object().if_contains("error");
    if (error && !error->is_null()) {
      ++failed;
    } else {
      add_record(values, line.member("metrics"));
    }
  }
  out.counts.failed = failed;
  out.counts.completed = static_cast<std::int64_t>(values.attempted) - failed;
  put_recomputed(out, std::move(values),
                 {Definition::ttft_text_from_send, Definition::e2e_last_content, Definition::tpot_from_latency,
                  Definition::ntpot_from_send, Definition::icl_text_chunks},
                 "profile_export.jsonl");
  return out;
}

}  // namespace scoville::evidence
