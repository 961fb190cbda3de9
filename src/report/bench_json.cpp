#include <fmt/format.h>

#include "base/version.hpp"
#include "report/bench_report.hpp"
#include "report/beside.hpp"
#include "report/launch_lines.hpp"
#include "report/metric_json.hpp"
#include "report/model_based.hpp"
#include "report/offline.hpp"
#include "report/system_lines.hpp"
#include "report/validity_report.hpp"

namespace scoville::report {
namespace {

using analyse::Analysis;
using analyse::Latency;
using analyse::Metric;
using analyse::Quantile;

template <class T>
json::value or_null(const std::optional<T>& value) {
  if (!value) return nullptr;
  return *value;
}

json::object rate_json(const analyse::Rate& rate) {
  return {{"full", number_or_null(rate.full)}, {"steady", number_or_null(rate.steady)}};
}

json::object lag_json(const analyse::Lag& lag) {
  return {{"p50", nanos_or_null(lag.p50)}, {"p99", nanos_or_null(lag.p99)}, {"max", nanos_or_null(lag.largest)}};
}

json::object bound_json(const analyse::ErrorBound& bound) {
  const bool has_reason = bound.reason != analyse::NoBound::none;
  return {{"ttft", nanos_or_null(bound.ttft)},
          {"tpot", nanos_or_null(bound.tpot)},
          {"icl", nanos_or_null(bound.icl)},
          {"e2e", nanos_or_null(bound.e2e)},
          {"reason", has_reason ? json::value(json::string(name_of(bound.reason))) : json::value(nullptr)}};
}

/// The calibration that was asked for the bound, and its answer.
json::value calibration_json(const analyse::ErrorBound& bound) {
  if (!bound.calibrated) return nullptr;
  return json::object{{"made_ns", bound.calibrated->count()}, {"arrival_error_ns", nanos_or_null(bound.arrival)}};
}

json::object instrument_json(const Analysis& analysis) {
  const analyse::Instrument& instrument = analysis.instrument;
  json::array reasons;
  for (const analyse::Doubt each : instrument.reasons) reasons.push_back(json::string(name_of(each)));
  return {{"verdict", json::string(name_of(instrument.verdict))},
          {"reasons", std::move(reasons)},
          {"send_lag_ns", lag_json(instrument.send_lag)},
          {"read_lag_ns", lag_json(instrument.read_lag)},
          {"late_merged_share", number_or_null(instrument.late_merged_share)},
          {"merged_share", number_or_null(instrument.merged_share)},
          {"loop_busy_share", number_or_null(instrument.loop_busy_share)},
          {"loop_busy_mean", number_or_null(instrument.loop_busy_mean)},
          {"steal_share", number_or_null(instrument.steal_share)},
          {"queue_depth", instrument.queue_depth},
          {"drops", instrument.drops},
          {"kernel_stamps", instrument.has_kernel_stamps},
          {"clock_steps", instrument.clock_steps},
          {"connections_opened", instrument.connections_opened},
          {"cpu_ns", instrument.cpu.count()},
          {"events_per_s", number_or_null(analysis.error_bound.events_per_s)},
          {"calibration", calibration_json(analysis.error_bound)},
          {"error_bound_ns", bound_json(analysis.error_bound)}};
}

json::object load_json(const Analysis& analysis, const plan::LoadPlan& plan) {
  json::object out{{"kind", json::string(load_kind(plan))},
                   {"offered_per_s", number_or_null(analysis.offered_per_s)},
                   {"achieved_per_s", number_or_null(analysis.achieved_per_s)},
                   {"in_flight", {{"mean", analysis.in_flight_mean}, {"peak", analysis.in_flight_peak}}},
                   {"schedule_met", or_null(analysis.schedule_met)},
                   {"max_concurrency", plan.max_concurrency ? json::value(plan.max_concurrency) : json::value(nullptr)},
                   {"num_prompts", plan.num_prompts ? json::value(plan.num_prompts) : json::value(nullptr)},
                   {"duration_s", plan.duration ? json::value(to_seconds(*plan.duration)) : json::value(nullptr)},
                   {"threads", plan.threads},
                   {"seed", plan.arrivals.seed}};
  if (plan.has_schedule()) {
    out["arrivals"] = plan.arrivals.is_constant ? "constant" : plan.arrivals.burstiness == 1.0 ? "poisson" : "gamma";
    out["burstiness"] = plan.arrivals.burstiness;
  }
  if (plan.arrivals.trace_speed) {
    out["arrivals"] = "trace";
    out["burstiness"] = nullptr;
    out["trace_speed"] = *plan.arrivals.trace_speed;
  }
  return out;
}

json::object workload_json(const Analysis& analysis, const plan::RequestShape& shape, const BenchSubject& subject) {
  return {
      {"dataset", subject.dataset.english},
      {"dataset_hash", fmt::format("{:016x}", subject.dataset_hash)},
      {"seed", subject.seed},
      {"dialect", json::string(plan::name_of(shape.dialect))},
      {"ignore_eos", shape.ignore_eos},
      {"prompt_tokens_mean", number_or_null(analysis.mean_prompt_tokens)},
      {"output_tokens_mean", number_or_null(analysis.mean_output_tokens)},
      {"prompt_tokens_total", analysis.total_prompt_tokens},
      {"output_tokens_total", analysis.makes_tokens ? json::value(analysis.total_output_tokens) : json::value(nullptr)},
      {"tokens_per_event", number_or_null(analysis.tokens_per_event)}};
}

json::object dataset_json(const Analysis& analysis, const BenchSubject& subject) {
  json::object out{
      {"token_method", subject.token_method.empty() ? json::value(nullptr) : json::value(subject.token_method)},
      {"lengths_exact", subject.prompt_length_is_exact}};
  if (analysis.prompt_lengths) {
    const dataset::LengthCheck& check = *analysis.prompt_lengths;
    out["prompt_tokens"] = json::object{{"n", check.n},
                                        {"asked_mean", check.mean_asked},
                                        {"measured_mean", check.mean_measured},
                                        {"mean_absolute_deviation", check.mean_absolute_deviation},
                                        {"off_share", 1.0 - check.exact_share}};
  } else {
    out["prompt_tokens"] = nullptr;
  }
  out["cached_share"] = analysis.cached ? json::value(analysis.cached->share) : json::value(nullptr);
  out["distinct_share"] = analysis.distinct ? json::value(analysis.distinct->share) : json::value(nullptr);
  return out;
}

json::object requests_json(const Analysis& analysis) {
  json::object failed;
  for (std::size_t i = 1; i < event::kFailureCount; ++i) {
    if (analysis.failed[i]) failed[event::name_of(static_cast<event::Failure>(i))] = analysis.failed[i];
  }
  return {{"attempted", analysis.attempted}, {"succeeded", analysis.succeeded}, {"failed", std::move(failed)},
          {"short", analysis.short_outputs}, {"resent", analysis.resent},       {"warmup", analysis.warmup_requests}};
}

json::object numpy_json(const analyse::NumpyStatistics& statistics) {
  const auto millis = [](std::optional<double> nanos) {
    return nanos ? json::value(*nanos / 1e6) : json::value(nullptr);
  };
  return {{"n", statistics.n},
          {"mean_ms", millis(statistics.mean)},
          {"median_ms", millis(statistics.median)},
          {"p99_ms", millis(statistics.p99)}};
}

/// 1 / TPOT at its quantiles: the rate at which one user's answer grows.
json::object per_user_json(const Metric& tpot) {
  json::object at;
  for (const Quantile& each : tpot.quantiles) {
    const bool has_rate = each.value && *each.value > Nanos::zero();
    at[percent_key(each.p)] = has_rate ? json::value(1 / to_seconds(*each.value)) : json::value(nullptr);
  }
  return {{"unit", "1/s"}, {"at_tpot", std::move(at)}};
}

json::object metrics_json(const Analysis& analysis) {
  json::object out;
  for (std::size_t i = 0; i < analyse::kLatencyCount; ++i) {
    out[name_of(static_cast<Latency>(i))] = metric_json(analysis.latencies[i]);
  }
  out["output_tokens_per_s"] = rate_json(analysis.rates.output_tokens_per_s);
  out["total_tokens_per_s"] = rate_json(analysis.rates.total_tokens_per_s);
  out["requests_per_s"] = rate_json(analysis.rates.requests_per_s);
  out["output_tokens_per_s_peak"] = number_or_null(analysis.peak_output_tokens_per_s);
  out["tokens_per_s_per_user"] = per_user_json(analysis.latency(Latency::tpot));
  json::object written;
  for (const Latency each : {Latency::ttft, Latency::ttfa, Latency::e2e}) {
    written[name_of(each)] = metric_json(analysis.from_written[static_cast<std::size_t>(each)]);
  }
  out["from_written"] = std::move(written);
  out["as_vllm"] = json::object{{"ttft", numpy_json(analysis.vllm.ttft)},
                                {"tpot", numpy_json(analysis.vllm.tpot)},
                                {"itl", numpy_json(analysis.vllm.itl)},
                                {"e2el", numpy_json(analysis.vllm.e2el)}};
  return out;
}

json::object cost_json(const Analysis& analysis, const BenchSubject& subject) {
  if (!subject.price) return {{"value", nullptr}, {"reason", "not computed: no price given"}};
  const analyse::Price& price = *subject.price;
  const analyse::UnitCost cost = analyse::unit_cost(price, analysis.rates);
  return {{"basis", "rate only, 100 % utilised"},
          {"currency", cost.currency},
          {"device_hour", price.per_device_hour.amount},
          {"devices", price.devices},
          {"per_million_tokens", number_or_null(cost.blended)},
          {"per_million_output_tokens", number_or_null(cost.on_output)},
          {"per_million_input_tokens", number_or_null(cost.on_input)}};
}

json::value started_engine_json(const BenchSubject& subject) {
  if (!subject.launch) return nullptr;
  json::object out = event::launch_json(*subject.launch);
  out["crashes"] = crashed_in_run(subject) ? 1 : 0;
  if (!subject.launch->ending) out["ending"] = nullptr;
  return out;
}

json::object window_json(const Analysis& analysis) {
  json::object out{{"from_monotonic_ns", analysis.full.from.time_since_epoch().count()},
                   {"to_monotonic_ns", analysis.full.to.time_since_epoch().count()},
                   {"full_s", to_seconds(analysis.full.length())}};
  out["steady_s"] = analysis.steady ? json::value(to_seconds(analysis.steady->length())) : json::value(nullptr);
  out["steady_from_s"] =
      analysis.steady ? json::value(to_seconds(analysis.steady->from - analysis.full.from)) : json::value(nullptr);
  if (analysis.warmup) {
    out["warmup"] = json::object{{"verdict", json::string(analyse::name_of(analysis.warmup->verdict))},
                                 {"cut_s", to_seconds(analysis.warmup->length)}};
  }
  return out;
}

json::value goodput_json(const Analysis& analysis) {
  if (!analysis.goodput) return nullptr;
  const analyse::GoodputFigure& figure = *analysis.goodput;
  json::object out{{"attempted", figure.counts.attempted},
                   {"good", figure.counts.good},
                   {"attainment", figure.counts.attainment},
                   {"requests_per_s", figure.counts.goodput}};
  out["low"] = figure.interval ? json::value(figure.interval->lower) : json::value(nullptr);
  out["high"] = figure.interval ? json::value(figure.interval->upper) : json::value(nullptr);
  out["at_least"] = number_or_null(figure.at_least);
  const bool is_withheld = figure.method == analyse::AttainmentMethod::none;
  out["method"] = is_withheld ? json::value(nullptr) : json::value(json::string(name_of(figure.method)));
  out["reason"] = is_withheld ? json::value("autocorrelated") : json::value(nullptr);
  out["effective_n"] = number_or_null(figure.effective_n);
  json::array fan_out;
  for (const analyse::FanOut& each : figure.fan_out) {
    fan_out.push_back(json::object{{"calls", each.calls},
                                   {"attainment", each.attainment},
                                   {"at_least", number_or_null(each.at_least)},
                                   {"target", analyse::kFanOutTarget},
                                   {"each_needs", each.each_needs}});
  }
  out["fan_out"] = std::move(fan_out);
  return out;
}

json::array buckets_json(const Analysis& analysis) {
  json::array out;
  for (const analyse::Bucket& each : analysis.buckets) {
    out.push_back(json::object{{"prompt_tokens", {{"from", each.from}, {"to", each.to}}},
                               {"n", each.n},
                               {"ttft", metric_json(each.ttft)},
                               {"tpot", metric_json(each.tpot)}});
  }
  return out;
}

}  // namespace

json::object bench_json(const Analysis& analysis, const plan::LoadPlan& plan, const plan::RequestShape& shape,
                        const BenchSubject& subject) {
  json::object out;
  out["schema"] = "scoville.run/1";
  out["run"] = subject.run_id;
  out["set"] = subject.set.empty() ? json::value(nullptr) : json::value(subject.set);
  out["tag"] = subject.tag.empty() ? json::value(nullptr) : json::value(subject.tag);
  out["method_version"] = kMethodVersion;
  out["scoville"] = json::object{{"version", version()}, {"revision", revision()}, {"compiler", compiler()}};
  out["anchor"] = json::object{{"wall_ns", subject.anchor.wall.count()},
                               {"monotonic_ns", subject.anchor.monotonic.time_since_epoch().count()},
                               {"uncertainty_ns", subject.anchor.uncertainty.count()}};
  out["system"] = system_json(subject, shape);
  out["launch"] = started_engine_json(subject);
  out["workload"] = workload_json(analysis, shape, subject);
  out["dataset"] = dataset_json(analysis, subject);
  out["load"] = load_json(analysis, plan);
  out["window"] = window_json(analysis);
  out["validity"] = validity_json(analysis.validity);
  out["instrument"] = instrument_json(analysis);
  out["requests"] = requests_json(analysis);
  out["metrics"] = metrics_json(analysis);
  out["goodput"] = goodput_json(analysis);
  out["buckets"] = buckets_json(analysis);
  put_beside(analysis, out);
  if (plan.is_offline) out["offline"] = offline_json(analyse::offline_job(analysis, plan));
  out["connection"] = json::object{{"dns_ns", nanos_or_null(subject.dns)},
                                   {"tcp_ns", nanos_or_null(analysis.connect)},
                                   {"tls_ns", nanos_or_null(analysis.tls_handshake)},
                                   {"rtt_ns", nanos_or_null(analysis.rtt)},
                                   {"retransmits", analysis.retransmits}};
  if (analysis.emit) {
    out["emit"] = json::object{{"n", analysis.emit->n},
                               {"error_ns",
                                {{"p50", nanos_or_null(analysis.emit->p50)},
                                 {"p99", nanos_or_null(analysis.emit->p99)},
                                 {"max", nanos_or_null(analysis.emit->largest)}}},
                               {"icl_error_sd_ns", number_or_null(analysis.emit->icl_error_sd_ns)}};
  }
  out["figures"] =
      json::object{{"memory", {{"value", nullptr}, {"reason", "not measured: the device was not sampled"}}},
                   {"power", {{"value", nullptr}, {"reason", "not measured: no power sensor"}}},
                   {"unit_cost", cost_json(analysis, subject)}};
  out["model_based"] = model_based_json(model_based_share(analysis, subject));
  json::array warnings;
  for (const dataset::Warning& each : all_warnings(analysis, subject)) {
    warnings.push_back(json::object{{"code", each.code}, {"message", each.sentence.english}});
  }
  out["warnings"] = std::move(warnings);
  return out;
}

}  // namespace scoville::report
