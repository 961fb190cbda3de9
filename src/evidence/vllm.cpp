#include <array>

#include "evidence/chunk_arrays.hpp"
#include "evidence/readers.hpp"

namespace scoville::evidence {
namespace {

constexpr double kMillis = 1000;
constexpr std::array<Theirs, 6> kLatencies{{
    {"ttft", Metric::ttft, Definition::ttft_choice_chunk, Unit::seconds, kMillis},
    {"tpot", Metric::tpot, Definition::tpot_from_latency, Unit::seconds, kMillis},
    {"itl", Metric::icl, Definition::icl_choice_chunks, Unit::seconds, kMillis},
    {"e2el", Metric::e2e, Definition::e2e_choice_chunk, Unit::seconds, kMillis},
    {"client_queue_time", Metric::none, Definition::client_queue, Unit::seconds, kMillis},
    {"e2el_including_client_queue", Metric::e2e, Definition::e2e_with_queue, Unit::seconds, kMillis},
}};
constexpr std::array<Theirs, 6> kRates{{
    {"request_throughput", Metric::requests_per_s, Definition::rate_dispatch, Unit::per_second},
    {"output_throughput", Metric::output_tokens_per_s, Definition::rate_dispatch, Unit::tokens_per_second},
    {"total_token_throughput", Metric::total_tokens_per_s, Definition::rate_dispatch, Unit::tokens_per_second},
    {"request_goodput", Metric::goodput_per_s, Definition::goodput_rate, Unit::per_second},
    {"max_output_tokens_per_s", Metric::none, Definition::peak_second, Unit::tokens_per_second},
    {"max_concurrent_requests", Metric::in_flight_peak, Definition::in_flight_peak, Unit::requests},
}};

/// "p99.9_ttft_ms" is P99.9 of ttft; empty where the key is no statistic of `name`.
std::string statistic_in(std::string_view key, std::string_view name) {
  const std::string end = "_" + std::string(name) + "_ms";
  if (!key.ends_with(end)) return "";
  key.remove_suffix(end.size());
  if (key == "mean" || key == "std") return std::string(key);
  if (key == "median") return "p50";
  return key.starts_with('p') ? percentile(key) : "";
}

void put_latencies(ExternalResult& result, const Members& file) {
  for (const Theirs& what : kLatencies) {
    for (const auto& pair : file.object()) {
      const std::string statistic = statistic_in(pair.key(), what.name);
      if (!statistic.empty()) put(result, file, pair.key(), what, statistic);
    }
  }
}

void read_load(LoadSaid& load, const Members& file) {
  const auto* const rate = file.object().if_contains("request_rate");
  load.is_unlimited = rate && rate->is_string();  // "inf"
  if (rate && !rate->is_string()) load.requests_per_s = file.number("request_rate");
  load.concurrency = file.count("max_concurrency");
  load.requests = file.count("num_prompts");
  if (load.requests_per_s && file.has("burstiness")) load.arrivals = "gamma, rescaled to end at N / rate";
}

/// Their goodput is a rate: times their duration it is a number of requests, out of those that were sent.
void put_attainment(ExternalResult& result, const Members& file) {
  const auto rate = file.number("request_goodput");
  if (!rate || !result.duration_s || !result.counts.completed || !result.counts.failed) return;
  const double attempted = static_cast<double>(*result.counts.completed + *result.counts.failed);
  if (attempted <= 0) return;
  put_value(result, *rate * *result.duration_s / attempted, "request_goodput",
            {"request_goodput", Metric::attainment, Definition::attainment_attempted, Unit::share}, "",
            "request_goodput * duration / (completed + failed)");
}

void put_lengths(ExternalResult& result, const Members& file) {
  const auto completed = file.number("completed");
  if (!completed || *completed <= 0) return;
  const auto add = [&](const char* key, Metric metric) {
    if (const auto total = file.number(key))
      put_value(result, *total / *completed, key, {key, metric, Definition::tokens_a_request, Unit::tokens}, "mean",
                "/ completed");
  };
  add("total_input_tokens", Metric::mean_prompt_tokens);
  add("total_output_tokens", Metric::mean_output_tokens);
}

}  // namespace

bool has_all(const json::object& object, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    if (!object.contains(key)) return false;
  }
  return true;
}

bool is_vllm(const json::object& object) {
  return has_all(object, {"model_id", "duration", "completed", "request_throughput"});
}

ExternalResult read_vllm(const Members& file) {
  ExternalResult out;
  out.tool = Tool::vllm;
  out.date = file.text("date");
  out.model = file.text("model_id");
  out.endpoint = file.text("endpoint_type");
  read_load(out.load, file);
  out.counts = {file.count("completed"), file.count("failed"), std::nullopt};
  out.duration_s = file.number("duration");
  out.duration_rule = DurationRule::dispatch;
  out.quantile_rule = QuantileRule::linear;
  out.token_source = TokenSource::usage_retokenised;
  put_latencies(out, file);
  for (const Theirs& what : kRates) put(out, file, what.name, what);
  put_attainment(out, file);
  put_lengths(out, file);
  put_chunk_arrays(out, file,
                   {Definition::ttft_choice_chunk, Definition::e2e_choice_chunk, Definition::tpot_chunk_span,
                    Definition::ntpot_from_send, Definition::icl_choice_chunks});
  return out;
}

}  // namespace scoville::evidence
