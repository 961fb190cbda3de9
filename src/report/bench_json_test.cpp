#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <string>

#include "report/bench_report.hpp"
#include "report/golden_file.hpp"
#include "report/made_bench.hpp"

namespace scoville::report {
namespace {

using Keys = std::set<std::string>;

json::object json_of(const MadeBench& made) { return bench_json(made.analysis(), made.plan, made.shape, made.subject); }

Keys keys(const json::value& object) {
  Keys found;
  for (const auto& pair : object.as_object()) found.insert(std::string(pair.key()));
  return found;
}

/// The value at a path of keys.
const json::value& at(const json::object& object, std::initializer_list<const char*> path) {
  const json::value* found = nullptr;
  for (const char* key : path) found = &(found ? found->as_object() : object).at(key);
  return *found;
}

/// Counts the numbers of a value, and fails on one that is not finite.
std::size_t finite_numbers(const json::value& value) {
  std::size_t count = 0;
  if (value.is_number()) {
    CHECK(std::isfinite(value.to_number<double>()));
    return 1;
  }
  if (value.is_array()) {
    for (const json::value& each : value.get_array()) count += finite_numbers(each);
  } else if (value.is_object()) {
    for (const auto& pair : value.get_object()) count += finite_numbers(pair.value());
  }
  return count;
}

/// The metric's quantile objects hold these and at most these.
void check_quantiles(const json::value& metric) {
  const Keys always{"value", "low", "high", "level", "supported", "certified_ns"};
  const Keys sometimes{"method", "at_least", "reason", "needed_n", "certified_reason"};
  CHECK(keys(metric.at("quantiles")) == Keys{"50", "90", "95", "99"});
  for (const auto& pair : metric.at("quantiles").as_object()) {
    for (const std::string& key : always) CHECK(pair.value().as_object().contains(key));
    for (const std::string& key : keys(pair.value())) CHECK((always.contains(key) || sometimes.contains(key)));
  }
}

}  // namespace

TEST_CASE("a run is one object with exactly these parts") {
  CHECK(keys(json_of(made_bench())) ==
        Keys{"schema",     "run",      "set",        "tag",     "method_version", "scoville",    "anchor",
             "system",     "launch",   "workload",   "dataset", "load",           "window",      "validity",
             "instrument", "requests", "metrics",    "goodput", "buckets",        "lateness",    "conversations",
             "cancelled",  "probe",    "connection", "emit",    "figures",        "model_based", "warnings"});
}

TEST_CASE("each part has the keys that docs/formats/run.md names") {
  const json::object run = json_of(made_bench());
  CHECK(run.at("schema") == "scoville.run/1");
  CHECK(keys(run.at("load")) == Keys{"kind", "offered_per_s", "achieved_per_s", "in_flight", "schedule_met",
                                     "max_concurrency", "num_prompts", "duration_s", "threads", "seed", "arrivals",
                                     "burstiness"});
  CHECK(keys(at(run, {"load", "in_flight"})) == Keys{"mean", "peak"});
  CHECK(keys(run.at("instrument")) == Keys{"verdict", "reasons", "send_lag_ns", "read_lag_ns", "late_merged_share",
                                           "merged_share", "loop_busy_share", "loop_busy_mean", "steal_share",
                                           "queue_depth", "drops", "kernel_stamps", "clock_steps", "connections_opened",
                                           "cpu_ns", "events_per_s", "calibration", "error_bound_ns"});
  CHECK(keys(at(run, {"instrument", "send_lag_ns"})) == Keys{"p50", "p99", "max"});
  CHECK(keys(at(run, {"instrument", "read_lag_ns"})) == Keys{"p50", "p99", "max"});
  CHECK(keys(at(run, {"instrument", "error_bound_ns"})) == Keys{"ttft", "tpot", "icl", "e2e", "reason"});
  CHECK(keys(run.at("requests")) == Keys{"attempted", "succeeded", "failed", "short", "resent", "warmup"});
  CHECK(keys(run.at("metrics")) == Keys{"ttft", "ttfa", "tpot", "ntpot", "icl", "e2e", "output_tokens_per_s",
                                        "total_tokens_per_s", "requests_per_s", "output_tokens_per_s_peak",
                                        "tokens_per_s_per_user", "from_written", "as_vllm"});
  CHECK(keys(run.at("system")) == Keys{"url", "peer", "model", "hardware", "seen", "checklist", "fingerprint"});
  CHECK(keys(run.at("figures")) == Keys{"memory", "power", "unit_cost"});
  for (const auto& pair : run.at("figures").as_object()) CHECK(keys(pair.value()) == Keys{"value", "reason"});
  for (const json::value& each : run.at("warnings").as_array()) CHECK(keys(each) == Keys{"code", "message"});
}

TEST_CASE("the hourly rate of the devices gives the sixth figure, labelled for what it is") {
  MadeBench made = made_bench();
  made.subject.price = analyse::Price{{9.8, "CNY"}, 8};
  const json::object run = json_of(made);
  const json::value& cost = at(run, {"figures", "unit_cost"});
  CHECK(cost.at("basis") == "rate only, 100 % utilised");
  const double output = at(run, {"metrics", "output_tokens_per_s", "full"}).to_number<double>();
  CHECK(cost.at("per_million_output_tokens").to_number<double>() == doctest::Approx(78.4 / (output * 3600) * 1e6));
}

TEST_CASE("tokens per second per user are the inverse of TPOT") {
  const json::object run = json_of(made_bench());
  const double tpot = at(run, {"metrics", "tpot", "quantiles", "50", "value"}).to_number<double>();
  CHECK(at(run, {"metrics", "tokens_per_s_per_user", "at_tpot", "50"}).to_number<double>() ==
        doctest::Approx(1e9 / tpot));
}

TEST_CASE("each latency says its unit, its n, and a quantile's value, interval, level and support") {
  const json::object run = json_of(made_bench());
  for (const char* name : {"ttft", "ttfa", "tpot", "ntpot", "icl", "e2e"}) {
    const json::value& metric = at(run, {"metrics", name});
    CAPTURE(std::string(name));
    CHECK(metric.at("unit") == "ns");
    for (const char* key : {"n", "mean", "quantiles"}) CHECK(metric.as_object().contains(key));
    check_quantiles(metric);
  }
  for (const char* name : {"output_tokens_per_s", "total_tokens_per_s", "requests_per_s"}) {
    CHECK(keys(at(run, {"metrics", name})) == Keys{"full", "steady"});
  }
}

TEST_CASE("the figures are those of the run that was made up") {
  const json::object run = json_of(made_bench());
  CHECK(at(run, {"load", "kind"}) == "open");
  CHECK(at(run, {"load", "arrivals"}) == "constant");
  CHECK(at(run, {"load", "offered_per_s"}) == 10.0);
  CHECK(at(run, {"load", "schedule_met"}) == true);
  CHECK(at(run, {"requests", "attempted"}) == 200);
  CHECK(at(run, {"requests", "succeeded"}) == 197);
  CHECK(at(run, {"requests", "warmup"}) == 8);
  CHECK(at(run, {"requests", "failed"}) ==
        json::value(json::object{{"http_status", 1}, {"truncated", 1}, {"timeout_request", 1}}));
  CHECK(at(run, {"instrument", "verdict"}) == "ok");
  CHECK(at(run, {"instrument", "send_lag_ns", "p99"}) == 20000);
  CHECK(at(run, {"instrument", "loop_busy_share"}) == 0.12);
  CHECK(at(run, {"metrics", "ttft", "n"}) == 198);  // 197 and the time-out, a bound
  CHECK(at(run, {"metrics", "tpot", "n"}) == 197);
  CHECK(at(run, {"emit", "error_ns", "max"}) == 5990);
}

TEST_CASE("a quantile beyond a time-out reads null and a bound; a mean does too") {
  MadeBench made = made_bench();
  made.run.records.resize(101);
  made.run.records.erase(made.run.records.begin(), made.run.records.begin() + 90);  // the time-out is one of 10
  const json::object run = json_of(made);
  const json::value& p99 = at(run, {"metrics", "e2e", "quantiles", "99"});
  CHECK(p99.at("value").is_null());
  CHECK(p99.at("at_least") == 8000000000);
  CHECK(p99.at("reason") == "censored");
  CHECK(p99.at("supported") == false);
  CHECK(p99.at("needed_n") == 662);
  CHECK(at(run, {"metrics", "e2e", "mean"}).is_null());
  CHECK(at(run, {"metrics", "e2e", "mean_at_least"}).is_int64());
  CHECK(at(run, {"metrics", "e2e", "max"}).is_null());
  CHECK(at(run, {"metrics", "e2e", "max_at_least"}) == 8000000000);
}

TEST_CASE("what was not measured is null with a reason, never 0") {
  MadeBench made = made_bench();
  made.subject.system = {};
  const json::object run = json_of(made);
  for (const char* each : {"ttft", "tpot", "icl", "e2e"})
    CHECK(at(run, {"instrument", "error_bound_ns", each}).is_null());
  CHECK(at(run, {"instrument", "error_bound_ns", "reason"}) == "not calibrated");
  for (const char* each : {"memory", "power", "unit_cost"}) {
    CHECK(at(run, {"figures", each, "value"}).is_null());
    CHECK_FALSE(at(run, {"figures", each, "reason"}).as_string().empty());
  }
  for (const char* each : {"low", "high", "level"})
    CHECK(at(run, {"metrics", "ttft", "quantiles", "99", each}).is_null());
  CHECK(at(run, {"metrics", "ttft", "quantiles", "99", "reason"}) == "too_few");
  CHECK(at(run, {"connection", "tls_ns"}).is_null());
  CHECK(at(run, {"system", "hardware"}).is_null());
}

TEST_CASE("a run in which nothing succeeded has null figures and no NaN") {
  MadeBench made = made_bench();
  for (auto& each : made.run.records) {
    const double due = to_millis((*each.due).time_since_epoch());
    each = analyse::failure(due, due + 1, event::Failure::connect);
    each.due = analyse::at_ms(due);
    each.written = Moment();
  }
  const json::object run = json_of(made);
  CHECK(finite_numbers(run) > 10);
  CHECK(at(run, {"metrics", "ttft", "n"}) == 0);
  CHECK(at(run, {"metrics", "ttft", "mean"}).is_null());
  CHECK(at(run, {"metrics", "ttft", "quantiles", "50", "value"}).is_null());
  CHECK(at(run, {"load", "achieved_per_s"}).is_null());
  CHECK(at(run, {"load", "schedule_met"}).is_null());
  CHECK(at(run, {"workload", "output_tokens_mean"}).is_null());
  CHECK(at(run, {"metrics", "output_tokens_per_s", "steady"}).is_null());
  CHECK(at(run, {"requests", "failed", "connect"}) == 200);
}

TEST_CASE("every number of a run is finite, and what is written can be read") {
  const json::object run = json_of(made_bench());
  CHECK(finite_numbers(run) > 100);
  CHECK(keys(json::parse(pretty(run))) == keys(run));
}

TEST_CASE("an empty analysis, without loaders or requests, is an object too") {
  const json::object run = json_of(MadeBench{});
  CHECK(finite_numbers(run) > 10);
  CHECK(at(run, {"load", "kind"}) == "unlimited");
  CHECK(run.at("goodput").is_null());
  CHECK_FALSE(run.contains("emit"));
}

TEST_CASE("messages in the JSON are English whatever is spoken") {
  const json::object english = json_of(made_bench());
  const Speaking chinese(text::Language::chinese);
  CHECK(json_of(made_bench()).at("warnings") == english.at("warnings"));
}

TEST_CASE("the kinds of load have their names") {
  plan::LoadPlan plan;
  CHECK(load_kind(plan) == "unlimited");
  plan.max_concurrency = 4;
  CHECK(load_kind(plan) == "closed");
  plan.arrivals.rate = 2.5;
  CHECK(load_kind(plan) == "open_capped");
  CHECK(describe_load(plan) == "open loop, Poisson, 2.5 requests/s, at most 4 in flight");
  plan.max_concurrency = 0;
  plan.arrivals.burstiness = 0.5;
  CHECK(load_kind(plan) == "open");
  CHECK(describe_load(plan) == "open loop, gamma (burstiness 0.5), 2.5 requests/s");
}

}  // namespace scoville::report
