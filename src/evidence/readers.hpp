#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include "evidence/external_result.hpp"
#include "evidence/members.hpp"

namespace scoville::evidence {

// One reader a tool, one file each. is_NAME: whether the value has the members that no other tool's file has together;
// read_NAME: what it says. A fault is the first member that is not as expected.

bool is_vllm(const json::object& object);
ExternalResult read_vllm(const Members& file);

bool is_sglang(const json::object& object);
ExternalResult read_sglang(const Members& line);

bool is_aiperf(const json::object& object);
ExternalResult read_aiperf(const Members& file);
/// A line of profile_export.jsonl.
bool is_aiperf_record(const json::object& object);
ExternalResult read_aiperf_records(const std::vector<Members>& lines);

bool is_guidellm(const json::object& object);
/// One result a benchmark of the file.
std::vector<ExternalResult> read_guidellm(const Members& file);

bool is_inference_perf(const json::object& object);
ExternalResult read_inference_perf(const Members& file);

bool is_evalscope(const json::object& object);
ExternalResult read_evalscope(const Members& file);
/// benchmark_percentile.json: a list of rows, or one object of columns.
bool is_evalscope_percentiles(const json::value& value);
ExternalResult read_evalscope_percentiles(const json::value& value, Fault& fault);

bool is_aisbench(const json::object& object);
ExternalResult read_aisbench(const Members& file);
bool is_aisbench_csv(std::string_view text);
ExternalResult read_aisbench_csv(std::string_view text, Fault& fault);

bool is_inferencex(const json::object& object);
ExternalResult read_inferencex(const Members& file);

bool is_genai_bench(const json::object& object);
ExternalResult read_genai_bench(const Members& file);

bool is_endpoints(const json::object& object);
ExternalResult read_endpoints(const Members& file);

/// mlperf_log_summary.txt
bool is_loadgen(std::string_view text);
ExternalResult read_loadgen(std::string_view text, Fault& fault);

/// Whether the object has all of these members.
bool has_all(const json::object& object, std::initializer_list<std::string_view> keys);

}  // namespace scoville::evidence
