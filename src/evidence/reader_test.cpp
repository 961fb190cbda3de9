#include "evidence/reader.hpp"

#include <doctest/doctest.h>

#include "evidence/made_results.hpp"

namespace scoville::evidence {
namespace {

using doctest::Approx;

ExternalResult one(std::string_view text) {
  std::vector<ExternalResult> all = read_all(text);
  REQUIRE(all.size() == 1);
  return all[0];
}

/// The value under our name; -1 where there is none.
double value(const ExternalResult& result, Metric metric, const char* statistic = "", bool recomputed = false) {
  const Figure* const found = find(result, metric, statistic, recomputed);
  return found && found->value && (found->recomputed > 0) == recomputed ? *found->value : -1;
}

Definition definition(const ExternalResult& result, Metric metric, const char* statistic = "") {
  const Figure* const found = find(result, metric, statistic);
  return found ? found->definition : Definition::other;
}

const Figure* theirs(const ExternalResult& result, std::string_view as) {
  for (const Figure& each : result.figures) {
    if (each.as == as) return &each;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("vLLM: milliseconds become seconds, itl is our ICL, goodput becomes attainment over what was attempted") {
  const ExternalResult got = one(kVllm);
  CHECK(got.tool == Tool::vllm);
  CHECK(got.model == "org/tiny");
  CHECK(got.load.is_unlimited);
  CHECK(got.load.concurrency == 2);
  CHECK(got.counts.completed == 2);
  CHECK(got.counts.failed == 1);
  CHECK(value(got, Metric::ttft, "mean") == Approx(0.055));
  CHECK(value(got, Metric::ttft, "p99") == Approx(0.0599));
  CHECK(definition(got, Metric::ttft, "mean") == Definition::ttft_choice_chunk);
  CHECK(value(got, Metric::icl, "p99") == Approx(0.03));
  CHECK(value(got, Metric::e2e, "mean") == Approx(0.15));
  CHECK(value(got, Metric::requests_per_s) == Approx(0.5));
  CHECK(value(got, Metric::attainment) == Approx(1.0 / 3));  // 0.25/s · 4 s = 1 request of 3
  CHECK(value(got, Metric::mean_output_tokens, "mean") == Approx(2.5));
  REQUIRE(theirs(got, "p99.9_ttft_ms"));
  CHECK_FALSE(theirs(got, "p99.9_ttft_ms")->value);  // NaN is unknown, and not left out
  CHECK(theirs(got, "mean_client_queue_time_ms")->metric == Metric::none);
  CHECK(theirs(got, "mean_e2el_including_client_queue_ms")->definition == Definition::e2e_with_queue);
}

TEST_CASE("vLLM's arrays give our definitions: nearest rank, a failed request dropped from latencies and counted") {
  const ExternalResult got = one(kVllm);
  CHECK(value(got, Metric::ttft, "p50", true) == Approx(0.05));  // of 50 and 60 ms the first, not their mean
  CHECK(value(got, Metric::ttft, "p99", true) == Approx(0.06));
  CHECK(value(got, Metric::tpot, "mean", true) == Approx(0.0225));  // (10 + 20) / 2 and 30 / 1
  CHECK(value(got, Metric::icl, "p50", true) == Approx(0.02));      // of 10, 20, 30
  CHECK(value(got, Metric::e2e, "p99", true) == Approx(0.2));
  CHECK(value(got, Metric::ntpot, "p99", true) == Approx(0.1));  // 100 / 3 and 200 / 2
  CHECK(find(got, Metric::ttft, "p50", true)->recomputed == 3);
}

TEST_CASE("what --append-result leaves, and a list of results, are several results") {
  const std::string two = std::string(kVllm) + "\n" + std::string(kVllm);
  CHECK(read_all(two).size() == 2);
  CHECK(read_all("[" + std::string(kVllm) + ", " + std::string(kInferencex) + "]").size() == 2);
}

TEST_CASE("SGLang: a rate of Infinity is all at once; over its own API itl is no gap of ours") {
  const ExternalResult got = one(kSglang);
  CHECK(got.tool == Tool::sglang);
  CHECK(got.load.is_unlimited);
  CHECK(got.load.input_tokens == 512);
  CHECK(value(got, Metric::ttft, "p50") == Approx(0.07));
  CHECK(value(got, Metric::icl, "mean") == Approx(0.013));
  CHECK(value(got, Metric::total_tokens_per_s) == Approx(2088));
  CHECK(definition(got, Metric::requests_per_s) == Definition::rate_server_info);
  CHECK(got.token_source == TokenSource::requested);
  std::string native(kSglang);
  native.replace(native.find("sglang-oai"), 10, "sglang");
  const ExternalResult own = one(native);
  CHECK_FALSE(find(own, Metric::icl, "mean"));
  CHECK(theirs(own, "mean_itl_ms")->definition == Definition::icl_per_token_share);
}

TEST_CASE("AIPerf: its inter-token latency is our TPOT, its inter-chunk latency our ICL, each in its unit") {
  const ExternalResult got = one(kAiperf);
  CHECK(got.tool_version == "0.13.0");
  CHECK(got.model == "org/tiny");
  CHECK(got.load.concurrency == 8);
  CHECK(value(got, Metric::ttft, "p50") == Approx(0.11));
  CHECK(value(got, Metric::tpot, "mean") == Approx(0.012));  // microseconds
  CHECK(value(got, Metric::tpot, "p95") == Approx(0.015));
  CHECK(value(got, Metric::icl, "mean") == Approx(0.011));
  CHECK(value(got, Metric::e2e, "mean") == Approx(1.5));  // nanoseconds
  CHECK(value(got, Metric::attainment) == Approx(0.9));   // 90 of 97 + 3
  CHECK(got.duration_s == Approx(10));
  CHECK(definition(got, Metric::tpot, "mean") == Definition::tpot_from_latency);
}

TEST_CASE("AIPerf's lines: warm-up left out, an error counts, latencies by nearest rank") {
  const ExternalResult got = one(kAiperfLines);
  CHECK(got.counts.completed == 1);
  CHECK(got.counts.failed == 1);
  CHECK(value(got, Metric::ttft, "p99", true) == Approx(0.05));
  CHECK(value(got, Metric::ntpot, "mean", true) == Approx(0.01));
  CHECK(value(got, Metric::icl, "p50", true) == Approx(0.009));
  CHECK(find(got, Metric::ttft, "mean", true)->recomputed == 2);
}

TEST_CASE("pieces of one result in one folder are one; the same piece twice is refused") {
  const FileText files[]{{"a/profile_export.jsonl", std::string(kAiperfLines)},
                         {"a/profile_export_aiperf.json", std::string(kAiperf)}};
  const auto both = read_results(files);
  REQUIRE(both);
  REQUIRE(both->size() == 1);
  CHECK(both->front().model == "org/tiny");
  CHECK(both->front().files.size() == 2);
  CHECK(value(both->front(), Metric::ttft, "p50") == Approx(0.11));
  CHECK(value(both->front(), Metric::ttft, "p50", true) == Approx(0.05));

  const FileText apart[]{{"a/benchmark_summary.json", std::string(kEvalscope)},
                         {"b/benchmark_percentile.json", std::string(kEvalscopeRows)}};
  CHECK(read_results(apart)->size() == 2);
  const FileText twice[]{{"a/x.json", std::string(kEvalscope)}, {"a/y.json", std::string(kEvalscope)}};
  REQUIRE_FALSE(read_results(twice));
  CHECK(read_results(twice).error().message.find("a/y.json") == 0);
}

TEST_CASE("guidellm: TPOT holds TTFT and is our NTPOT; percentiles without a point; a benchmark is a result") {
  const std::vector<ExternalResult> all = read_all(kGuidellm);
  REQUIRE(all.size() == 2);
  const ExternalResult& got = all[0];
  CHECK(got.model == "org/tiny");
  CHECK(got.endpoint == "http://127.0.0.1:8000");
  CHECK(got.load.requests_per_s == 2.0);
  CHECK(got.counts.incomplete == 3);
  CHECK(value(got, Metric::ttft, "p50") == Approx(0.09));
  CHECK(value(got, Metric::ttft, "p0.1") == Approx(0.06));
  CHECK(value(got, Metric::ttft, "p99.9") == Approx(0.2));
  CHECK(value(got, Metric::ntpot, "mean") == Approx(0.025));
  CHECK(value(got, Metric::tpot, "mean") == Approx(0.02));
  CHECK(theirs(got, "benchmarks[0].metrics.time_per_output_token_ms.successful.mean")->metric == Metric::ntpot);
  CHECK(value(got, Metric::e2e, "p95") == Approx(2.5));
  CHECK(value(got, Metric::requests_per_s) == Approx(1.9));
  CHECK(all[1].load.concurrency == 4);
}

TEST_CASE("inference-perf: TPOT is ours, its inter-token latency is not; goodput over all that were sent") {
  const ExternalResult got = one(kInferencePerf);
  CHECK(value(got, Metric::tpot, "p50") == Approx(0.06));
  CHECK(info_of(definition(got, Metric::tpot, "p50")).comparable == Comparable::yes);
  CHECK(value(got, Metric::ntpot, "mean") == Approx(0.1));
  CHECK(value(got, Metric::e2e, "p99.9") == Approx(6));
  CHECK_FALSE(find(got, Metric::icl, "mean"));
  CHECK(value(got, Metric::attainment) == Approx(0.45));  // 45 of 90 + 10, not of 90
  CHECK(theirs(got, "successes.goodput_metrics.goodput_percentage")->value == Approx(0.5));
  CHECK(theirs(got, "successes.goodput_metrics.goodput_percentage")->metric == Metric::none);
  CHECK(got.load.requests_per_s == 2.0);
}

TEST_CASE("EvalScope: both spellings of its summary, both shapes of its percentiles") {
  const ExternalResult got = one(kEvalscope);
  CHECK(value(got, Metric::ttft, "mean") == Approx(0.1));
  CHECK(value(got, Metric::e2e, "mean") == Approx(2.1));
  CHECK(got.counts.failed == 2);
  CHECK_FALSE(got.load.requests_per_s);  // -1: all at once, or closed loop
  CHECK(value(one(kEvalscopeOlder), Metric::ttft, "mean") == Approx(0.2));
  CHECK(value(one(kEvalscopeOlder), Metric::requests_per_s) == Approx(1));
  for (const std::string_view shape : {kEvalscopeRows, kEvalscopeColumns}) {
    const ExternalResult percentiles = one(shape);
    CHECK(value(percentiles, Metric::ttft, "p50") == Approx(0.09));
    CHECK(value(percentiles, Metric::ttft, "p99") == Approx(0.4));
    CHECK(value(percentiles, Metric::e2e, "p99") == Approx(4));
    CHECK(percentiles.quantile_rule == QuantileRule::floor);
  }
}

TEST_CASE("AISBench: numbers with their units, the two files of one name together") {
  const FileText files[]{{"a/gsm8k.json", std::string(kAisbench)}, {"a/gsm8k.csv", std::string(kAisbenchCsv)}};
  const auto all = read_results(files);
  REQUIRE(all);
  REQUIRE(all->size() == 1);
  const ExternalResult& got = all->front();
  CHECK(got.duration_s == Approx(4));
  CHECK(got.counts.completed == 60);
  CHECK(got.load.concurrency == 8);
  CHECK(value(got, Metric::requests_per_s) == Approx(15));
  CHECK(value(got, Metric::output_tokens_per_s) == Approx(150.5));
  CHECK(value(got, Metric::in_flight_mean) == Approx(7.5));
  CHECK(value(got, Metric::ttft, "mean") == Approx(0.1005));
  CHECK(value(got, Metric::ttft, "p75") == Approx(0.11));
  CHECK(value(got, Metric::e2e, "p50") == Approx(0.99));
  CHECK(value(got, Metric::mean_prompt_tokens, "mean") == Approx(512));
}

TEST_CASE("InferenceX: rates per device times devices, on one node and on two kinds") {
  const ExternalResult got = one(kInferencex);
  CHECK(value(got, Metric::total_tokens_per_s) == Approx(8000));
  CHECK(value(got, Metric::output_tokens_per_s) == Approx(3200));
  CHECK(find(got, Metric::total_tokens_per_s, "")->conversion == "* tp");
  CHECK(value(got, Metric::ttft, "p50") == Approx(0.2));
  CHECK(value(got, Metric::e2e, "p50") == Approx(20));
  CHECK(theirs(got, "mean_intvty")->metric == Metric::none);
  std::string split(kInferencex);
  split.replace(split.find("\"tp\": 8"), 7, "\"num_prefill_gpu\": 4, \"num_decode_gpu\": 12");
  const ExternalResult two = one(split);
  CHECK(value(two, Metric::total_tokens_per_s) == Approx(16000));
  CHECK(value(two, Metric::output_tokens_per_s) == Approx(4800));  // by the 12 that decode
  std::string without(kInferencex);
  without.replace(without.find("\"tp\": 8,"), 8, "");
  const ExternalResult unknown = one(without);
  CHECK_FALSE(find(unknown, Metric::total_tokens_per_s, ""));  // devices not known: not guessed
  CHECK(theirs(unknown, "tput_per_gpu")->value == Approx(1000));
}

TEST_CASE("genai-bench and MLPerf Endpoints, read after their documentation") {
  const ExternalResult bench = one(kGenaiBench);
  CHECK(bench.is_from_documentation);
  CHECK(value(bench, Metric::ttft, "p99") == Approx(0.45));
  CHECK(value(bench, Metric::output_tokens_per_s) == Approx(300));
  CHECK(bench.counts.failed == 1);
  const ExternalResult points = one(kEndpoints);
  CHECK(points.is_from_documentation);
  CHECK(value(points, Metric::ttft, "p50") == Approx(0.09));
  CHECK(value(points, Metric::ttft, "p99") == Approx(0.25));
  CHECK(value(points, Metric::e2e, "mean") == Approx(2));
  CHECK(value(points, Metric::requests_per_s) == Approx(9.8));
  CHECK(points.duration_s == Approx(10));
}

TEST_CASE("MLPerf LoadGen: nanoseconds, the parameters of the test are no results") {
  const ExternalResult got = one(kLoadgen);
  CHECK(got.tool == Tool::loadgen);
  CHECK(got.load.arrivals == "Server, VALID");
  CHECK(got.load.requests_per_s == 76.0);
  CHECK(value(got, Metric::requests_per_s) == Approx(74.96));
  CHECK(value(got, Metric::offered_per_s) == Approx(76.17));
  CHECK(value(got, Metric::output_tokens_per_s) == Approx(22020.5));
  CHECK(value(got, Metric::e2e, "p99") == Approx(5));
  CHECK(value(got, Metric::ttft, "mean") == Approx(0.2));
  CHECK(value(got, Metric::ttft, "p99.9") == Approx(0.9));
  CHECK(value(got, Metric::tpot, "p97") == Approx(0.074));
  CHECK(definition(got, Metric::ttft, "mean") == Definition::ttft_scheduled);
}

}  // namespace scoville::evidence
