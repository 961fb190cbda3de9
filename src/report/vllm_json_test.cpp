#include "report/vllm_json.hpp"

#include <doctest/doctest.h>

#include <set>

#include "analyse/made_record.hpp"
#include "report/made_bench.hpp"

namespace scoville::report {
namespace {

using analyse::at_ms;
using analyse::ms;
using doctest::Approx;

using Keys = std::set<std::string>;

Keys keys(const json::object& object) {
  Keys found;
  for (const auto& pair : object) found.insert(std::string(pair.key()));
  return found;
}

double number(const json::object& object, const char* key) { return object.at(key).to_number<double>(); }

/// TTFT 50 and 30 ms, gaps {10, 20} and {10} ms, latencies 85 and 40 ms; the third failed 310 ms after the start.
run::RunResult three_requests() {
  run::RunResult run;
  run.anchor.wall = std::chrono::seconds(1735787045);  // 2025-01-02 03:04:05 UTC
  run.end = at_ms(1000);
  event::RequestRecord a = analyse::answered(100, {150, 160, 180}, 185), b = analyse::answered(200, {230, 240}, 242);
  event::RequestRecord c = analyse::failure(300, 310, event::Failure::http_status);
  a.last_chunk = at_ms(185);
  a.prompt_tokens = 100;
  b.asked_prompt_tokens = 120;
  b.due = at_ms(190);
  b.was_held = true;
  a.index = 0, b.index = 1, c.index = 2;
  c.http_status = 503;
  run.records = analyse::list_of(std::move(a), std::move(b), std::move(c));
  return run;
}

VllmExport plain() {
  VllmExport about;
  about.backend = "vllm";
  about.model = "org/tiny";
  return about;
}

const Keys kAlways{"date",
                   "endpoint_type",
                   "backend",
                   "label",
                   "model_id",
                   "tokenizer_id",
                   "num_prompts",
                   "request_rate",
                   "burstiness",
                   "max_concurrency",
                   "duration",
                   "completed",
                   "failed",
                   "total_input_tokens",
                   "total_output_tokens",
                   "request_throughput",
                   "request_goodput",
                   "output_throughput",
                   "total_token_throughput",
                   "latencies",
                   "queue_times",
                   "max_output_tokens_per_s",
                   "max_concurrent_requests",
                   "rtfx"};
const Keys kDetailed{"input_lens", "output_lens", "start_times", "ttfts", "itls", "generated_texts", "errors"};

Keys with(Keys keys, const Keys& more) {
  keys.insert(more.begin(), more.end());
  return keys;
}

Keys statistics(const std::vector<std::string>& metrics, const std::vector<std::string>& percentiles) {
  Keys out;
  for (const std::string& metric : metrics) {
    for (const char* word : {"mean_", "median_", "std_"}) out.insert(word + metric + "_ms");
    for (const std::string& percent : percentiles) out.insert("p" + percent + "_" + metric + "_ms");
  }
  return out;
}

}  // namespace

TEST_CASE("the keys are vLLM's: those it always has, the statistics asked for, the arrays only in detail") {
  const run::RunResult run = three_requests();
  plan::LoadPlan plan;
  VllmExport about = plain();
  CHECK(keys(vllm_json(run, plan, about).value()) == with(kAlways, statistics({"ttft", "tpot", "itl"}, {"99"})));
  about.is_detailed = true;
  about.metrics = {"e2el"};
  about.percentiles = {50, 99.9};
  about.metadata = {{"tp", "8"}};
  CHECK(keys(vllm_json(run, plan, about).value()) ==
        with(with(with(kAlways, kDetailed), {"tp"}), statistics({"e2el"}, {"50", "99.9"})));
}

TEST_CASE("queue metrics exist only under a cap, the latency with the queue only with a finite rate") {
  const run::RunResult run = three_requests();
  plan::LoadPlan plan;
  VllmExport about = plain();
  about.metrics = {"client_queue_time", "e2el_including_client_queue"};
  CHECK(keys(vllm_json(run, plan, about).value()) == kAlways);
  plan.max_concurrency = 4;
  CHECK(keys(vllm_json(run, plan, about).value()) == with(kAlways, statistics({"client_queue_time"}, {"99"})));
  plan.arrivals.rate = 5;
  const json::object capped = vllm_json(run, plan, about).value();
  CHECK(keys(capped) == with(kAlways, statistics(about.metrics, {"99"})));
  CHECK(number(capped, "mean_client_queue_time_ms") == Approx(5));               // 0 and 10
  CHECK(number(capped, "mean_e2el_including_client_queue_ms") == Approx(67.5));  // 85 and 40 + 10
}

TEST_CASE("statistics are numpy's: population deviation, linear percentiles") {
  plan::LoadPlan plan;
  const json::object out = vllm_json(three_requests(), plan, plain()).value();
  CHECK(number(out, "mean_ttft_ms") == Approx(40));
  CHECK(number(out, "median_ttft_ms") == Approx(40));
  CHECK(number(out, "std_ttft_ms") == Approx(10));      // of 30 and 50, divisor 2
  CHECK(number(out, "p99_ttft_ms") == Approx(49.8));    // 30 + 0.99 · 20
  CHECK(number(out, "mean_tpot_ms") == Approx(13.75));  // (85 − 50) / 2 and (40 − 30) / 1
  CHECK(number(out, "std_tpot_ms") == Approx(3.75));
  CHECK(number(out, "mean_itl_ms") == Approx(40.0 / 3));
  CHECK(number(out, "median_itl_ms") == Approx(10));
  CHECK(number(out, "std_itl_ms") == Approx(4.714045));  // √((2 · (10/3)² + (20/3)²) / 3)
  CHECK(number(out, "p99_itl_ms") == Approx(19.8));      // place 1.98 of 10, 10, 20
}

TEST_CASE("the statistics are those of the arrays beside them") {
  const MadeBench made = made_bench();
  VllmExport about = plain();
  about.is_detailed = true;
  const json::object out = vllm_json(made.run, made.plan, about).value();
  double sum = 0, successes = 0;
  const json::array& ttfts = out.at("ttfts").as_array();
  const json::array& errors = out.at("errors").as_array();
  REQUIRE(ttfts.size() == 200);
  for (std::size_t i = 0; i < ttfts.size(); ++i) {
    if (!errors[i].as_string().empty()) continue;
    sum += ttfts[i].to_number<double>();
    successes += 1;
  }
  CHECK(successes == 197);
  CHECK(number(out, "mean_ttft_ms") == Approx(1e3 * sum / successes));
  CHECK(number(out, "completed") == 197);
  CHECK(number(out, "failed") == 3);
  CHECK(number(out, "request_rate") == 10);
  CHECK(out.at("burstiness").as_string() == "inf");  // constant gaps: the limit of its gamma distribution
}

TEST_CASE("totals: failures lengthen the run and count in no rate; an unknown part makes a total unknown") {
  plan::LoadPlan plan;
  run::RunResult run = three_requests();
  VllmExport about = plain();
  about.limits.ttft = ms(45);
  about.limits.tpot = ms(15);
  const json::object out = vllm_json(run, plan, about).value();
  CHECK(number(out, "duration") == Approx(0.31));
  CHECK(number(out, "completed") == 2);
  CHECK(number(out, "failed") == 1);
  CHECK(number(out, "total_input_tokens") == 220);
  CHECK(number(out, "total_output_tokens") == 5);
  CHECK(number(out, "request_throughput") == Approx(2 / 0.31));
  CHECK(number(out, "output_throughput") == Approx(5 / 0.31));
  CHECK(number(out, "total_token_throughput") == Approx(225 / 0.31));
  CHECK(number(out, "request_goodput") == Approx(1 / 0.31));  // the first misses both limits
  CHECK(out.at("request_rate").as_string() == "inf");
  CHECK(out.at("max_concurrency").is_null());
  CHECK(out.at("label").is_null());
  CHECK(number(out, "num_prompts") == 3);
  run.records[0].n_out.reset();
  const json::object unknown = vllm_json(run, plan, plain()).value();
  CHECK(unknown.at("total_output_tokens").is_null());
  CHECK(unknown.at("output_throughput").is_null());
  CHECK(unknown.at("total_token_throughput").is_null());
  CHECK(unknown.at("request_goodput").is_null());
  CHECK(number(unknown, "total_input_tokens") == 220);
}

TEST_CASE("goodput: a request of one token has a TPOT of 0 and so meets its limit, a failed one meets none") {
  run::RunResult run;
  run.records = analyse::list_of(analyse::answered(0, {10}, 500), analyse::failure(0, 400, event::Failure::reset));
  VllmExport about = plain();
  about.limits.tpot = ms(1);
  CHECK(number(vllm_json(run, plan::LoadPlan(), about).value(), "request_goodput") == Approx(2));  // 1 in 0.5 s
  about.limits.e2e = ms(9);
  CHECK(number(vllm_json(run, plan::LoadPlan(), about).value(), "request_goodput") == 0);
}

TEST_CASE("a run in which nothing succeeded has no statistics, not zeros") {
  run::RunResult run;
  run.records = analyse::list_of(analyse::failure(0, 100, event::Failure::reset));
  const json::object out = vllm_json(run, plan::LoadPlan(), plain()).value();
  CHECK(out.at("mean_ttft_ms").is_null());
  CHECK(out.at("std_itl_ms").is_null());
  CHECK(out.at("p99_tpot_ms").is_null());
  CHECK(number(out, "completed") == 0);
  CHECK(number(out, "request_throughput") == 0);
}

TEST_CASE("arrays in detail: one place a request, in seconds, gaps as lists") {
  VllmExport about = plain();
  about.is_detailed = true;
  const json::object out = vllm_json(three_requests(), plan::LoadPlan(), about).value();
  CHECK(compact(out.at("ttfts")) == "[0.05,0.03,0]");
  CHECK(compact(out.at("itls")) == "[[0.01,0.02],[0.01],[]]");
  CHECK(compact(out.at("latencies")) == "[0.085,0.04,0]");
  CHECK(compact(out.at("queue_times")) == "[0,0.01,0]");
  CHECK(compact(out.at("start_times")) == "[0.1,0.2,0.3]");
  CHECK(compact(out.at("input_lens")) == "[100,120,null]");
  CHECK(compact(out.at("output_lens")) == "[3,2,0]");
  CHECK(compact(out.at("errors")) == R"(["","","http_status 503"])");
}

TEST_CASE("metadata stands behind num_prompts and cannot replace what was measured") {
  VllmExport about = plain();
  about.metadata = {{"duration", "long"}, {"backend", "mine"}, {"gpu", "x"}};
  const json::object out = vllm_json(three_requests(), plan::LoadPlan(), about).value();
  CHECK(number(out, "duration") == Approx(0.31));
  CHECK(out.at("backend").as_string() == "mine");  // as in vLLM's client
  CHECK(out.at("gpu").as_string() == "x");
}

TEST_CASE("a ramp names its rates and when it passed each whole one") {
  run::RunResult run = three_requests();
  for (std::size_t i = 0; i < 3; ++i) run.records[i].due = at_ms(500 * static_cast<double>(i));
  plan::LoadPlan plan;
  plan.num_prompts = 3;
  plan.arrivals.rate = 3;
  plan.arrivals.ramp_up = plan::RampUp::linear;
  plan.arrivals.ramp_start = 1;
  plan.arrivals.ramp_end = 3;
  const json::object out = vllm_json(run, plan, plain()).value();
  CHECK(out.at("request_rate").as_string() == "inf");
  CHECK(out.at("ramp_up_strategy").as_string() == "linear");
  CHECK(number(out, "ramp_up_start_rps") == 1);
  CHECK(number(out, "ramp_up_end_rps") == 3);
  CHECK(compact(out.at("rps_change_events")) ==
        R"([{"rps":1,"timestamp":"2025-01-02T03:04:05.000000"},{"rps":2,"timestamp":"2025-01-02T03:04:05.500000"},)"
        R"({"rps":3,"timestamp":"2025-01-02T03:04:06.000000"}])");
  CHECK(vllm_file_name(run, plan, plain()) == "vllm-ramp-up-linear-1qps-3qps-tiny-20250102-030406.json");
}

TEST_CASE("the file name follows vLLM's rule; its date is local") {
  const run::RunResult run = three_requests();
  plan::LoadPlan plan;
  VllmExport about = plain();
  CHECK(vllm_file_name(run, plan, about) == "vllm-infqps-tiny-20250102-030406.json");
  plan.arrivals.rate = 20;
  plan.max_concurrency = 16;
  about.label = "night";
  about.utc_offset = std::chrono::hours(8);
  CHECK(vllm_file_name(run, plan, about) == "night-20.0qps-concurrency16-tiny-20250102-110406.json");
  plan.arrivals.rate = 0.5;
  about.model = "tiny";
  CHECK(vllm_file_name(run, plan, about) == "night-0.5qps-concurrency16-tiny-20250102-110406.json");
  CHECK(vllm_json(run, plan, about).value().at("date").as_string() == "20250102-110406");
}

TEST_CASE("embeddings: the keys of a pooling run, with texts counted beside requests") {
  run::RunResult run;
  run.end = at_ms(1000);
  event::RequestRecord a = analyse::answered(0, {}, 40), b = analyse::answered(100, {}, 200);
  for (event::RequestRecord* each : {&a, &b}) {
    each->n_out.reset();
    each->n_out_source = event::CountSource::not_applicable;
    each->prompt_tokens = 60;
  }
  b.index = 1;
  run.records = analyse::list_of(std::move(a), std::move(b));
  plan::LoadPlan plan;
  plan.num_prompts = 2;
  VllmExport about = plain();
  about.backend = "openai-embeddings";
  about.inputs_per_request = 4;
  const json::object out = vllm_json(run, plan, about).value();
  CHECK(number(out, "num_prompts") == 8);
  CHECK(number(out, "completed") == 2);
  CHECK(number(out, "total_input_tokens") == 120);
  CHECK(number(out, "total_input_sequences") == 8);
  CHECK(number(out, "request_throughput") == Approx(10));  // 2 in 0.2 s
  CHECK(number(out, "input_sequence_throughput") == Approx(40));
  CHECK(number(out, "total_token_throughput") == Approx(600));
  CHECK(number(out, "mean_e2el_ms") == Approx(70));  // 40 and 100
  for (const char* none : {"total_output_tokens", "output_throughput", "mean_ttft_ms", "mean_tpot_ms", "latencies"}) {
    CHECK_FALSE(out.contains(none));
  }
}

}  // namespace scoville::report
