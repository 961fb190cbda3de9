#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "plan/bench_plan.hpp"
#include "run/runner.hpp"

namespace scoville::report {

/// The names that --percentile-metrics may hold, and those reported unless told otherwise.
const std::vector<std::string>& vllm_metrics();
const std::vector<std::string>& default_vllm_metrics();

/// What a result file in vLLM's format says beside what was measured.
struct VllmExport {
  std::string backend;                   ///< as --backend names it
  std::optional<std::string> label;      ///< null in the file without one
  std::string model;                     ///< as --model names it
  std::optional<std::string> tokenizer;  ///< as the flag names it; none was used
  std::vector<std::pair<std::string, std::string>> metadata;
  std::optional<std::uint32_t> inputs_per_request;  ///< of embeddings, whose result has other keys; empty: of text
  std::vector<std::string> metrics = default_vllm_metrics();
  std::vector<double> percentiles{99};  ///< in percent
  plan::Limits limits;
  bool is_detailed = false;  ///< with the arrays of every request
  Nanos utc_offset{};        ///< local time − UTC: its dates are local
};

/// A run as `vllm bench serve --save-result` writes it, key by key: docs/formats/exports.md. One that knows no value
/// has null.
Result<json::object> vllm_json(const run::RunResult& run, const plan::LoadPlan& plan, const VllmExport& about);

/// When the run ended, local: "20260901-143000".
std::string vllm_date(const run::RunResult& run, Nanos utc_offset);

/// Its own name for a result file: "{label or backend}-{rate}qps[-concurrency{N}]-{model}-{date}.json".
std::string vllm_file_name(const run::RunResult& run, const plan::LoadPlan& plan, const VllmExport& about);

}  // namespace scoville::report
