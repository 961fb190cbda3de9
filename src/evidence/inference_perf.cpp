#include <array>

#include "evidence/figures.hpp"
#include "evidence/readers.hpp"

namespace scoville::evidence {
namespace {

constexpr std::array<Theirs, 5> kLatencies{{
    {"time_to_first_token", Metric::ttft, Definition::ttft_text_from_send, Unit::seconds},
    {"time_per_output_token", Metric::tpot, Definition::tpot_from_tokens, Unit::seconds},
    {"normalized_time_per_output_token", Metric::ntpot, Definition::ntpot_from_send, Unit::seconds},
    {"inter_token_latency", Metric::none, Definition::icl_zero_filled, Unit::seconds},
    {"request_latency", Metric::e2e, Definition::e2e_response_end, Unit::seconds},
}};
constexpr std::array<Theirs, 4> kRates{{
    {"requests_per_sec", Metric::requests_per_s, Definition::rate_stage, Unit::per_second},
    {"input_tokens_per_sec", Metric::input_tokens_per_s, Definition::rate_stage, Unit::tokens_per_second},
    {"output_tokens_per_sec", Metric::output_tokens_per_s, Definition::rate_stage, Unit::tokens_per_second},
    {"total_tokens_per_sec", Metric::total_tokens_per_s, Definition::rate_stage, Unit::tokens_per_second},
}};

/// Its own share is of successes; out of all that were sent it is ours.
void put_goodput(ExternalResult& out, const Members& goodput) {
  const auto good = goodput.number("good_requests");
  put(out, goodput, "goodput_percentage",
      {"goodput_percentage", Metric::none, Definition::attainment_successes, Unit::share, 100});
  put(out, goodput, "request_goodput",
      {"request_goodput", Metric::goodput_per_s, Definition::goodput_rate, Unit::per_second});
  if (!good || !out.counts.completed || !out.counts.failed) return;
  const double attempted = static_cast<double>(*out.counts.completed + *out.counts.failed);
  if (attempted <= 0) return;
  put_value(out, *good / attempted, goodput.path_of("good_requests"),
            {"good_requests", Metric::attainment, Definition::attainment_attempted, Unit::share}, "",
            "good_requests / (successes.count + failures.count)");
}

void put_lengths(ExternalResult& out, const Members& successes) {
  const auto put_mean = [&](const char* ours, const char* older, Metric metric) {
    const char* const key = successes.has(ours) ? ours : older;
    if (successes.has(key))
      put(out, successes.member(key), "mean", {key, metric, Definition::tokens_a_request, Unit::tokens}, "mean");
  };
  put_mean("prompt_tokens", "prompt_len", Metric::mean_prompt_tokens);
  put_mean("output_tokens", "output_len", Metric::mean_output_tokens);
}

}  // namespace

bool is_inference_perf(const json::object& object) {
  const auto* const successes = object.if_contains("successes");
  return successes && successes->is_object() && object.contains("failures") &&
         successes->get_object().contains("count");
}

ExternalResult read_inference_perf(const Members& file) {
  ExternalResult out;
  out.tool = Tool::inference_perf;
  const Members load = file.member("load_summary"), successes = file.member("successes");
  out.load.requests = load.count("count");
  if (load.has("requested_rate")) out.load.requests_per_s = load.number("requested_rate");
  out.counts.completed = successes.count("count");
  out.counts.failed = file.member("failures").count("count");
  if (file.has("benchmark_time_seconds")) out.duration_s = file.number("benchmark_time_seconds");
  out.duration_rule = DurationRule::stage;
  out.quantile_rule = QuantileRule::linear;
  out.token_source = TokenSource::retokenised;
  const Members latency = successes.member("latency"), throughput = successes.member("throughput");
  for (const Theirs& what : kLatencies) {
    if (latency.has(what.name)) put_statistics(out, latency.member(what.name), what);
  }
  for (const Theirs& what : kRates) put(out, throughput, what.name, what);
  put(out, load, "achieved_rate", {"achieved_rate", Metric::none, Definition::other, Unit::per_second});
  const Members* goodput = &successes;
  if (!successes.has("goodput_metrics")) goodput = &file;
  if (goodput->has("goodput_metrics")) put_goodput(out, goodput->member("goodput_metrics"));
  put_lengths(out, successes);
  return out;
}

}  // namespace scoville::evidence
