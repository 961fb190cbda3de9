#pragma once

#include <string>
#include <string_view>

#include "evidence/reader.hpp"

namespace scoville::evidence {

// For tests: small files in the formats of other tools, made up, with numbers that are easy to convert by hand.

/// Three requests, the third failed. Latencies 100 and 200 ms; gaps {10, 20} and {30} ms.
inline constexpr std::string_view kVllm = R"json({"date": "20261130-101500", "endpoint_type": "vllm", "backend": "vllm",
 "label": null, "model_id": "org/tiny", "tokenizer_id": "org/tiny", "num_prompts": 3, "request_rate": "inf",
 "burstiness": 1.0, "max_concurrency": 2, "duration": 4.0, "completed": 2, "failed": 1, "total_input_tokens": 200,
 "total_output_tokens": 5, "request_throughput": 0.5, "request_goodput": 0.25, "output_throughput": 1.25,
 "total_token_throughput": 51.25, "input_lens": [100, 100, 100], "output_lens": [3, 2, 0], "ttfts": [0.05, 0.06, 0.0],
 "itls": [[0.01, 0.02], [0.03], []], "latencies": [0.1, 0.2, 0.0], "errors": ["", "", "Bad Gateway"],
 "max_output_tokens_per_s": 5.0, "max_concurrent_requests": 2, "mean_ttft_ms": 55.0, "median_ttft_ms": 55.0,
 "std_ttft_ms": 5.0, "p99_ttft_ms": 59.9, "p99.9_ttft_ms": NaN, "mean_tpot_ms": 25.0, "median_tpot_ms": 25.0,
 "p99_itl_ms": 30.0, "mean_e2el_ms": 150.0, "mean_client_queue_time_ms": 7.0,
 "mean_e2el_including_client_queue_ms": 157.0})json";

inline constexpr std::string_view kSglang = R"json({"tag": null, "backend": "sglang-oai", "dataset_name": "random",
 "request_rate": Infinity, "max_concurrency": 4, "random_input_len": 512, "random_output_len": 64, "duration": 2.0,
 "completed": 8, "total_output_tokens": 80, "total_output_tokens_retokenized": 79, "request_throughput": 4.0,
 "input_throughput": 2048.0, "output_throughput": 40.0, "total_throughput": 2088.0, "mean_e2e_latency_ms": 900.0,
 "median_e2e_latency_ms": 880.0, "mean_ttft_ms": 80.0, "median_ttft_ms": 70.0, "p99_ttft_ms": 120.0,
 "mean_tpot_ms": 12.0, "mean_itl_ms": 13.0, "concurrency": 3.6, "accept_length": null})json";

inline constexpr std::string_view kAiperf = R"json({"schema_version": "1.4", "aiperf_version": "0.13.0",
 "start_time": "2026-11-30T10:15:00", "input_config": {"endpoint": {"model_names": ["org/tiny"]},
 "loadgen": {"concurrency": 8, "request_rate": null, "request_count": 100}}, "error_summary": [],
 "request_count": {"unit": "requests", "avg": 97.0}, "error_request_count": {"unit": "requests", "avg": 3.0},
 "good_request_count": {"unit": "requests", "avg": 90.0}, "goodput": {"unit": "requests/sec", "avg": 9.0},
 "request_throughput": {"unit": "requests/sec", "avg": 9.7}, "output_token_throughput": {"unit": "tokens/sec", "avg": 970.0},
 "time_to_first_token": {"unit": "ms", "avg": 120.5, "p50": 110.0, "p99": 250.0, "min": 75.0, "max": 260.0, "std": 30.0},
 "inter_token_latency": {"unit": "us", "avg": 12000.0, "p95": 15000.0},
 "inter_chunk_latency": {"unit": "ms", "avg": 11.0}, "request_latency": {"unit": "ns", "avg": 1.5e9},
 "output_sequence_length": {"unit": "tokens", "avg": 100.0, "p50": 100.0}, "benchmark_duration": {"unit": "sec", "avg": 10.0}})json";

inline constexpr std::string_view kAiperfLines =
    R"json({"metadata": {"request_start_ns": 1, "request_end_ns": 2, "benchmark_phase": "warmup"}, "metrics": {"time_to_first_token": {"value": 9000, "unit": "ms"}}, "error": null}
{"metadata": {"request_start_ns": 3, "request_end_ns": 4, "benchmark_phase": "profiling"}, "metrics": {"time_to_first_token": {"value": 50, "unit": "ms"}, "request_latency": {"value": 0.5, "unit": "s"}, "inter_token_latency": {"value": 10, "unit": "ms"}, "output_sequence_length": {"value": 50, "unit": "tokens"}, "inter_chunk_latency": {"value": [9, 11], "unit": "ms"}}, "error": null}
{"metadata": {"request_start_ns": 5, "request_end_ns": 6, "benchmark_phase": "profiling"}, "metrics": {}, "error": {"code": 503, "type": "HTTPError", "message": "no"}}
)json";

inline constexpr std::string_view kGuidellm = R"json({"metadata": {"version": 2, "guidellm_version": "0.8.0"},
 "config": {"backend": {"target": "http://127.0.0.1:8000", "model": "org/tiny"}}, "benchmarks": [
 {"config": {"strategy": {"type_": "constant", "rate": 2.0}}, "duration": 30.0, "metrics": {
  "request_totals": {"successful": 50, "incomplete": 3, "errored": 2, "total": 55},
  "requests_per_second": {"successful": {"mean": 1.9, "median": 2.0}},
  "request_latency": {"successful": {"mean": 1.5, "median": 1.4, "percentiles": {"p50": 1.4, "p95": 2.5}}},
  "time_to_first_token_ms": {"successful": {"mean": 100.0, "median": 90.0, "std_dev": 5.0, "percentiles": {"p001": 60.0, "p50": 90.0, "p99": 180.0, "p999": 200.0}}},
  "time_per_output_token_ms": {"successful": {"mean": 25.0}}, "inter_token_latency_ms": {"successful": {"mean": 20.0}},
  "output_token_count": {"successful": {"mean": 64.0}}}},
 {"config": {"strategy": {"type_": "concurrent", "streams": 4}}, "metrics": {
  "request_totals": {"successful": 10, "incomplete": 0, "errored": 0, "total": 10},
  "time_to_first_token_ms": {"successful": {"mean": 50.0}}}}]})json";

inline constexpr std::string_view kInferencePerf =
    R"json({"load_summary": {"count": 100, "schedule_delay": {"mean": 0.001},
 "send_duration": 50.0, "requested_rate": 2.0, "achieved_rate": 1.98}, "successes": {"count": 90, "latency": {
 "request_latency": {"mean": 3.0, "median": 2.0, "p99.9": 6.0}, "normalized_time_per_output_token": {"mean": 0.1},
 "time_per_output_token": {"mean": 0.08, "median": 0.06}, "time_to_first_token": {"mean": 0.8, "p90": 2.0},
 "inter_token_latency": {"mean": 0.07, "median": 0.0}}, "throughput": {"requests_per_sec": 1.8, "output_tokens_per_sec": 180.0},
 "output_len": {"mean": 100.0}, "goodput_metrics": {"good_requests": 45, "total_requests": 90, "goodput_percentage": 50.0}},
 "failures": {"count": 10, "by_label": {}}})json";

inline constexpr std::string_view kEvalscope =
    R"json({"Test Duration (s)": 20.0, "Concurrency": 4, "Request Rate (req/s)": -1,
 "Total Requests": 40, "Success Requests": 38, "Failed Requests": 2, "Req Throughput (req/s)": 1.9, "Avg Latency (s)": 2.1,
 "Avg Input Tokens": 500.0, "Output Throughput (tok/s)": 190.0, "TTFT (ms)": 100.0, "TPOT (ms)": 20.0, "ITL (ms)": 21.0,
 "Avg Output Tokens": 100.0})json";
inline constexpr std::string_view kEvalscopeOlder =
    R"json({"Time taken for tests (s)": 10.0, "Number of concurrency": 1,
 "Total requests": 10, "Succeed requests": 10, "Failed requests": 0, "Output token throughput (tok/s)": 36.0,
 "Request throughput (req/s)": 1.0, "Average latency (s)": 1.0, "Average time to first token (s)": 0.2,
 "Average time per output token (s)": 0.02})json";
inline constexpr std::string_view kEvalscopeRows = R"json([{"Percentiles": "50%", "Latency (s)": 2.0, "TTFT (ms)": 90.0,
 "ITL (ms)": null, "TPOT (ms)": 19.0}, {"Percentiles": "99%", "Latency (s)": 4.0, "TTFT (ms)": 400.0, "TPOT (ms)": NaN}])json";
inline constexpr std::string_view kEvalscopeColumns =
    R"json({"Percentiles": ["50%", "99%"], "Latency (s)": [2.0, 4.0], "TTFT (s)": [0.09, 0.4]})json";

inline constexpr std::string_view kAisbench =
    R"json({"Benchmark Duration": {"total": "4000 ms"}, "Total Requests": {"total": 64},
 "Failed Requests": {"total": 4}, "Success Requests": {"total": 60}, "Concurrency": {"total": 7.5}, "Max Concurrency": {"total": 8},
 "Request Throughput": {"total": "15.0 req/s"}, "Output Token Throughput": {"total": "150.5 token/s"}})json";
inline constexpr std::string_view kAisbenchCsv =
    "Performance Parameters,Stage,Average,Min,Max,Median,P75,P90,P99,N\r\n"
    "E2EL,total,1000.0 ms,900.0 ms,1100.0 ms,990.0 ms,1000 ms,1050 ms,1099 ms,60\r\n"
    "TTFT,total,100.5 ms,80 ms,200 ms,95 ms,110 ms,150 ms,199 ms,60\r\n"
    "InputTokens,total,512,512,512,512,512,512,512,60\r\n";

inline constexpr std::string_view kInferencex =
    R"json({"hw": "h200", "conc": 64, "model": "org/big", "framework": "vllm",
 "precision": "fp8", "isl": 1024, "osl": 1024, "is_multinode": false, "tp": 8, "ep": 1, "tput_per_gpu": 1000.0,
 "output_tput_per_gpu": 400.0, "input_tput_per_gpu": 600.0, "mean_ttft": 0.25, "median_ttft": 0.2, "p99_ttft": 0.9,
 "mean_tpot": 0.02, "mean_intvty": 50.0, "median_e2el": 20.0})json";

inline constexpr std::string_view kGenaiBench =
    R"json({"aggregated_metrics": {"scenario": "D(100,100)", "num_concurrency": 4,
 "iteration_type": "num_concurrency", "run_duration": 12.0, "mean_output_throughput_tokens_per_s": 300.0,
 "requests_per_second": 3.0, "num_error_requests": 1, "num_completed_requests": 36, "num_requests": 37,
 "stats": {"ttft": {"min": 0.1, "max": 0.5, "mean": 0.2, "p50": 0.19, "p99": 0.45}, "tpot": {"mean": 0.01},
 "e2e_latency": {"mean": 1.2}, "num_output_tokens": {"mean": 100.0}}}, "individual_request_metrics": []})json";

inline constexpr std::string_view kEndpoints = R"json({"version": "0.4.0", "git_sha": null, "test_started_at": 0,
 "n_samples_issued": 100, "n_samples_completed": 99, "n_samples_failed": 1, "duration_ns": 10000000000, "state": "complete",
 "complete": true, "ttft": {"total": 1, "min": 50000000, "max": 300000000, "median": 90000000, "avg": 100000000,
 "std_dev": 1.0, "percentiles": {"50": 90000000, "99.0": 250000000}}, "tpot": {}, "latency": {"avg": 2000000000},
 "output_sequence_lengths": {"avg": 128.0}, "qps": 9.8, "tps": 1267.2})json";

inline constexpr std::string_view kLoadgen = R"json(================================================
MLPerf Results Summary
================================================
SUT name : tiny
Scenario : Server
Mode     : PerformanceOnly
Completed samples per second    : 74.96
Completed tokens per second: 22020.5
Result is : VALID
  Min duration satisfied : Yes

================================================
Additional Stats
================================================
Scheduled samples per second : 76.17
Mean latency (ns)               : 2000000000
99.00 percentile latency (ns)   : 5000000000
Completed tokens per second                 : 22020.5
Mean First Token latency (ns)               : 200000000
99.90 percentile first token latency (ns)   : 900000000
Mean Time to Output Token (ns)              : 60000000
97.00 percentile time to output token (ns)  : 74000000

================================================
Test Parameters Used
================================================
samples_per_query : 1
target_qps : 76
ttft_latency (ns): 2000000000
)json";

inline std::vector<ExternalResult> read_all(std::string_view text, const std::string& path = "folder/result") {
  const FileText file{path, std::string(text)};
  Result<std::vector<ExternalResult>> read = read_results({&file, 1});
  return read ? std::move(*read) : std::vector<ExternalResult>();
}

}  // namespace scoville::evidence
