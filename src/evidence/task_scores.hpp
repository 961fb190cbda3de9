#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "evidence/external_result.hpp"

namespace scoville::evidence {

/// One score of one task, in the tool's own unit: lm-eval says shares, OpenCompass percent.
struct TaskScore {
  std::string task, metric, model, version;
  double value = 0;
  std::optional<double> standard_error;
  std::optional<std::int64_t> samples;
};

/// Accuracy that another tool measured.
struct TaskScores {
  std::string tool;  ///< "lm-eval", "OpenCompass"
  SourceFile file;
  std::vector<TaskScore> scores;
};

/// results_*.json of lm-evaluation-harness: metrics as "acc,none", before 0.4 as "acc".
bool is_lm_eval(const json::value& value);
Result<TaskScores> read_lm_eval(const json::value& value);

/// OpenCompass' summary_*.csv (AISBench writes the same): a column for each model; "-" is none.
bool is_opencompass_csv(std::string_view text);
Result<TaskScores> read_opencompass_csv(std::string_view text);
/// results/MODEL/DATASET.json: its members that are numbers. Model and task are the names of folder and file.
bool is_opencompass_json(const json::value& value);
Result<TaskScores> read_opencompass_json(const json::value& value, const std::string& path);

}  // namespace scoville::evidence
