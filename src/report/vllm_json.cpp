#include "report/vllm_json.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>

#include "report/vllm_arrays.hpp"
#include "stats/quantile.hpp"
#include "stats/summary.hpp"

namespace scoville::report {
namespace {

using Requests = std::vector<VllmRequest>;

constexpr double kMillis = 1e3;

bool ramps(const plan::LoadPlan& plan) { return plan.arrivals.ramp_up != plan::RampUp::none; }
/// With a ramp vLLM's request rate stays at its default.
bool has_finite_rate(const plan::LoadPlan& plan) { return plan.has_schedule() && !ramps(plan); }

std::string_view name_of(plan::RampUp strategy) { return strategy == plan::RampUp::linear ? "linear" : "exponential"; }

/// As Python prints a float: "20.0", "0.5", "99.9".
std::string python(double value) {
  std::string out = fmt::format("{}", value);
  if (out.find_first_of(".e") == std::string::npos) out += ".0";
  return out;
}

Nanos local_time(const run::RunResult& run, Instant at, Nanos utc_offset) {
  return run.anchor.wall + (at - run.anchor.monotonic) + utc_offset;
}

std::tm calendar(Nanos local) {
  return fmt::gmtime(static_cast<std::time_t>(std::chrono::floor<std::chrono::seconds>(local).count()));
}

/// From t = 0 to the end of the last request, well or not.
double duration_of(const run::RunResult& run) {
  Nanos last{};
  for (const event::RequestRecord& record : run.records) {
    for (const Moment end : {record.end, record.failed_at}) {
      if (end) last = std::max(last, *end - run.start);
    }
  }
  return to_seconds(last);
}

/// A sum of which one part is unknown is unknown.
std::optional<std::int64_t> total(const Requests& requests, std::optional<std::int64_t> VllmRequest::*tokens) {
  std::int64_t sum = 0;
  for (const VllmRequest& each : requests) {
    if (!each.succeeded) continue;
    if (!(each.*tokens)) return std::nullopt;
    sum += *(each.*tokens);
  }
  return sum;
}

std::optional<double> per_second(std::optional<std::int64_t> count, double seconds) {
  if (!count || seconds <= 0) return std::nullopt;
  return static_cast<double>(*count) / seconds;
}

json::value or_null(std::optional<std::int64_t> count) { return count ? json::value(*count) : json::value(nullptr); }

/// Its rule: a request of one token has a TPOT of 0.
bool is_good(const VllmRequest& request, const plan::Limits& limits) {
  const auto meets = [](const std::optional<Nanos>& limit, double seconds) {
    return !limit || seconds <= to_seconds(*limit);
  };
  return request.succeeded && meets(limits.ttft, request.ttft) && meets(limits.tpot, vllm_tpot(request).value_or(0)) &&
         meets(limits.e2e, request.latency);
}

std::optional<double> goodput(const Requests& requests, const plan::Limits& limits, double seconds) {
  if (!limits.any()) return std::nullopt;
  return per_second(
      std::count_if(requests.begin(), requests.end(), [&](const VllmRequest& each) { return is_good(each, limits); }),
      seconds);
}

json::array array_of(const Requests& requests, const std::function<json::value(const VllmRequest&)>& value) {
  json::array out;
  for (const VllmRequest& each : requests) out.push_back(value(each));
  return out;
}

void put_traffic(json::object& out, const plan::LoadPlan& plan) {
  const plan::Arrivals& arrivals = plan.arrivals;
  out["request_rate"] = has_finite_rate(plan) ? json::value(*arrivals.rate) : json::value("inf");
  out["burstiness"] = arrivals.is_constant ? json::value("inf") : json::value(arrivals.burstiness);
  out["max_concurrency"] = plan.max_concurrency ? json::value(plan.max_concurrency) : json::value(nullptr);
  if (!ramps(plan)) return;
  out["ramp_up_strategy"] = name_of(arrivals.ramp_up);
  out["ramp_up_start_rps"] = arrivals.ramp_start;
  out["ramp_up_end_rps"] = arrivals.ramp_end;
}

/// What vLLM's client writes of a pooling model.
void put_pooling_totals(json::object& out, const Requests& requests, double seconds, std::uint32_t inputs) {
  const std::int64_t completed =
      std::count_if(requests.begin(), requests.end(), [](const VllmRequest& each) { return each.succeeded; });
  const auto input = total(requests, &VllmRequest::input_tokens);
  out["duration"] = seconds;
  out["completed"] = completed;
  out["failed"] = static_cast<std::int64_t>(requests.size()) - completed;
  out["total_input_tokens"] = or_null(input);
  out["total_input_sequences"] = completed * inputs;
  out["request_throughput"] = number_or_null(per_second(completed, seconds));
  out["input_sequence_throughput"] = number_or_null(per_second(completed * inputs, seconds));
  out["total_token_throughput"] = number_or_null(per_second(input, seconds));
}

void put_pooling_arrays(json::object& out, const Requests& requests) {
  out["input_lens"] = array_of(requests, [](const VllmRequest& each) { return or_null(each.input_tokens); });
  out["errors"] = array_of(requests, [](const VllmRequest& each) { return json::value(each.error); });
}

void put_totals(json::object& out, const Requests& requests, double seconds, const plan::Limits& limits) {
  const std::int64_t completed =
      std::count_if(requests.begin(), requests.end(), [](const VllmRequest& each) { return each.succeeded; });
  const auto input = total(requests, &VllmRequest::input_tokens);
  const auto output = total(requests, &VllmRequest::output_tokens);
  out["duration"] = seconds;
  out["completed"] = completed;
  out["failed"] = static_cast<std::int64_t>(requests.size()) - completed;
  out["total_input_tokens"] = or_null(input);
  out["total_output_tokens"] = or_null(output);
  out["request_throughput"] = number_or_null(per_second(completed, seconds));
  out["request_goodput"] = number_or_null(goodput(requests, limits, seconds));
  out["output_throughput"] = number_or_null(per_second(output, seconds));
  const auto both = input && output ? std::optional<std::int64_t>(*input + *output) : std::nullopt;
  out["total_token_throughput"] = number_or_null(per_second(both, seconds));
}

void put_arrays(json::object& out, const Requests& requests, bool is_detailed) {
  using R = const VllmRequest&;
  const auto put = [&](const char* key, const std::function<json::value(R)>& value) {
    out[key] = array_of(requests, value);
  };
  if (is_detailed) {
    put("input_lens", [](R each) { return or_null(each.input_tokens); });
    put("output_lens", [](R each) { return or_null(each.output_tokens); });
    put("ttfts", [](R each) { return json::value(each.ttft); });
    put("itls", [](R each) { return json::array(each.itl.begin(), each.itl.end()); });
  }
  put("latencies", [](R each) { return json::value(each.latency); });
  if (is_detailed) put("start_times", [](R each) { return json::value(each.start); });
  put("queue_times", [](R each) { return json::value(each.queue); });
  if (is_detailed) {
    put("generated_texts", [](R each) { return json::value(each.text); });
    put("errors", [](R each) { return json::value(each.error); });
  }
}

/// When the rate passed a whole number, by the schedule.
void put_rate_changes(json::object& out, const run::RunResult& run, const plan::LoadPlan& plan,
                      const Requests& requests, Nanos utc_offset) {
  if (!ramps(plan)) return;
  const plan::Arrivals& arrivals = plan.arrivals;
  json::array events;
  const auto put = [&](std::int64_t rate, Instant at) {
    const Nanos local = local_time(run, at, utc_offset);
    events.push_back({{"rps", rate},
                      {"timestamp", fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:06}", calendar(local),
                                                local % std::chrono::seconds(1) / std::chrono::microseconds(1))}});
  };
  auto reached = static_cast<std::int64_t>(arrivals.ramp_start);
  put(reached, run.start);
  const double last = static_cast<double>(std::max<std::size_t>(plan.num_prompts, 2) - 1);
  for (const VllmRequest& each : requests) {
    if (!each.due || each.attempt != 0 || plan.num_prompts == 0) continue;
    const double progress = static_cast<double>(each.index) / last;
    const double rate = arrivals.ramp_up == plan::RampUp::linear
                            ? arrivals.ramp_start + (arrivals.ramp_end - arrivals.ramp_start) * progress
                            : arrivals.ramp_start * std::pow(arrivals.ramp_end / arrivals.ramp_start, progress);
    while (reached < static_cast<std::int64_t>(rate)) put(++reached, *each.due);
  }
  out["rps_change_events"] = std::move(events);
}

/// The samples of a metric in seconds; empty where this load has no such metric.
std::optional<std::vector<double>> samples_of(std::string_view metric, const Requests& requests,
                                              const plan::LoadPlan& plan) {
  const bool waits = metric == "client_queue_time", waits_too = metric == "e2el_including_client_queue";
  if ((waits || waits_too) && plan.max_concurrency == 0) return std::nullopt;
  if (waits_too && !has_finite_rate(plan)) return std::nullopt;
  std::vector<double> samples;
  for (const VllmRequest& each : requests) {
    if (!each.succeeded) continue;
    if (metric == "itl") {
      samples.insert(samples.end(), each.itl.begin(), each.itl.end());
    } else if (metric == "tpot") {
      if (const auto tpot = vllm_tpot(each)) samples.push_back(*tpot);
    } else {
      samples.push_back(metric == "ttft" ? each.ttft
                        : waits          ? each.queue
                                         : each.latency + (waits_too ? each.queue : 0));
    }
  }
  return samples;
}

void put_statistics(json::object& out, const std::string& metric, std::vector<double> samples,
                    const std::vector<double>& percentiles) {
  const auto millis = [](std::optional<double> seconds) {
    return seconds ? json::value(*seconds * kMillis) : json::value(nullptr);
  };
  std::sort(samples.begin(), samples.end());
  const auto summary = stats::summarize(samples);
  out["mean_" + metric + "_ms"] = millis(stats::mean(samples));
  out["median_" + metric + "_ms"] = millis(stats::linear_quantile(samples, 0.5));
  out["std_" + metric + "_ms"] = millis(summary ? std::optional(summary->population_std) : std::nullopt);
  for (const double percent : percentiles) {
    const std::string word = percent == std::floor(percent) ? fmt::format("{:.0f}", percent) : python(percent);
    out["p" + word + "_" + metric + "_ms"] = millis(stats::linear_quantile(samples, percent / 100));
  }
}

/// Requests beside the load: latencies from the write, of those that succeeded.
void put_probe(json::object& out, const std::vector<event::RequestRecord>& probes) {
  std::vector<double> latencies;
  for (const event::RequestRecord& each : probes) {
    if (each.succeeded() && each.written && each.end) latencies.push_back(to_seconds(*each.end - *each.written));
  }
  std::sort(latencies.begin(), latencies.end());
  const auto millis = [](std::optional<double> seconds) { return seconds ? json::value(*seconds * kMillis) : 0.0; };
  out["probe_completed"] = latencies.size();
  out["probe_failed"] = probes.size() - latencies.size();
  out["probe_median_e2el_ms"] = millis(stats::linear_quantile(latencies, 0.5));
  out["probe_p99_e2el_ms"] = millis(stats::linear_quantile(latencies, 0.99));
  out["probe_max_e2el_ms"] = latencies.empty() ? 0.0 : latencies.back() * kMillis;
}

}  // namespace

const std::vector<std::string>& vllm_metrics() {
  static const std::vector<std::string> names{
      "ttft", "tpot", "itl", "e2el", "client_queue_time", "e2el_including_client_queue"};
  return names;
}

const std::vector<std::string>& default_vllm_metrics() {
  static const std::vector<std::string> names{"ttft", "tpot", "itl"};
  return names;
}

Result<json::object> vllm_json(const run::RunResult& run, const plan::LoadPlan& plan, const VllmExport& about) {
  const Result<Requests> read = vllm_requests(run);
  if (!read) return read.error();
  const Requests& requests = *read;
  const auto text = [](const std::optional<std::string>& word) {
    return word ? json::value(*word) : json::value(nullptr);
  };
  json::object out;
  out["date"] = vllm_date(run, about.utc_offset);
  out["endpoint_type"] = about.backend;
  out["backend"] = about.backend;
  out["label"] = text(about.label);
  out["model_id"] = about.model;
  out["tokenizer_id"] = text(about.tokenizer);
  out["num_prompts"] = (plan.num_prompts ? plan.num_prompts : requests.size()) * about.inputs_per_request.value_or(1);
  for (const auto& [key, value] : about.metadata) out[key] = value;
  put_traffic(out, plan);
  if (about.inputs_per_request) {
    put_pooling_totals(out, requests, duration_of(run), *about.inputs_per_request);
    if (about.is_detailed) put_pooling_arrays(out, requests);
  } else {
    put_totals(out, requests, duration_of(run), about.limits);
    put_arrays(out, requests, about.is_detailed);
    out["max_output_tokens_per_s"] = most_tokens_per_s(requests);
    out["max_concurrent_requests"] = most_in_flight(requests);
    out["rtfx"] = 0.0;
  }
  put_rate_changes(out, run, plan, requests, about.utc_offset);
  if (plan.probe_rate) put_probe(out, run.probes);
  for (const std::string& metric : vllm_metrics()) {
    const bool is_wanted = std::find(about.metrics.begin(), about.metrics.end(), metric) != about.metrics.end();
    if (about.inputs_per_request ? metric != "e2el" : !is_wanted) continue;  // the only one of a pooling model
    if (auto samples = samples_of(metric, requests, plan)) {
      put_statistics(out, metric, std::move(*samples), about.percentiles);
    }
  }
  return out;
}

std::string vllm_date(const run::RunResult& run, Nanos utc_offset) {
  return fmt::format("{:%Y%m%d-%H%M%S}", calendar(local_time(run, run.end, utc_offset)));
}

std::string vllm_file_name(const run::RunResult& run, const plan::LoadPlan& plan, const VllmExport& about) {
  const plan::Arrivals& arrivals = plan.arrivals;
  std::string rate = has_finite_rate(plan) ? python(*arrivals.rate) + "qps" : "infqps";
  if (ramps(plan)) {
    rate = fmt::format("ramp-up-{}-{}qps-{}qps", name_of(arrivals.ramp_up), arrivals.ramp_start, arrivals.ramp_end);
  }
  const std::string cap = plan.max_concurrency ? fmt::format("-concurrency{}", plan.max_concurrency) : "";
  const std::string model = about.model.substr(about.model.rfind('/') + 1);
  return fmt::format("{}-{}{}-{}-{}.json", about.label.value_or(about.backend), rate, cap, model,
                     vllm_date(run, about.utc_offset));
}

}  // namespace scoville::report
