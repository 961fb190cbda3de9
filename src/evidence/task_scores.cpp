#include "evidence/task_scores.hpp"

#include <charconv>
#include <cmath>
#include <filesystem>

#include "dataset/csv.hpp"
#include "text/catalogue/numerics.hpp"

namespace scoville::evidence {
namespace {

using text::NumericsMsg;
using text::say;

constexpr std::string_view kError = "_stderr";
constexpr std::size_t kNamedColumns = 4;  // dataset, version, metric, mode

const json::object* member(const json::object& object, std::string_view key) {
  const json::value* const found = object.if_contains(key);
  return found ? found->if_object() : nullptr;
}

std::optional<double> number(const json::object& object, std::string_view key) {
  const json::value* const found = object.if_contains(key);
  if (!found || !found->is_number()) return std::nullopt;
  const double value = found->to_number<double>();
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::string text_of(const json::object* object, std::string_view key) {
  const json::value* const found = object ? object->if_contains(key) : nullptr;
  if (!found) return "";
  return found->is_string() ? std::string(found->get_string()) : found->is_number() ? compact(*found) : "";
}

/// "acc,none" and "acc" → "acc_stderr,none" and "acc_stderr".
std::string error_key(std::string_view metric) {
  const std::size_t comma = std::min(metric.find(','), metric.size());
  return std::string(metric.substr(0, comma)).append(kError).append(metric.substr(comma));
}

bool is_score(std::string_view key) {
  return key.find(kError) == std::string_view::npos && key != "alias" && key != "name" && key != "samples" &&
         key != "sample_len";
}

void add_task(TaskScores& out, const json::object& file, std::string_view task, const json::object& metrics) {
  const json::object* const counts = member(file, "n-samples");
  const json::object* const count = counts ? member(*counts, task) : nullptr;
  for (const auto& [key, value] : metrics) {
    const std::optional<double> score = is_score(key) ? number(metrics, key) : std::nullopt;
    if (!score) continue;
    TaskScore one;
    one.task = task;
    one.metric = key;
    one.model = text_of(&file, "model_name");
    if (one.model.empty()) one.model = text_of(member(file, "config"), "model_args");
    one.version = text_of(member(file, "versions"), task);
    one.value = *score;
    one.standard_error = number(metrics, error_key(key));
    if (const auto n = count ? number(*count, "effective") : std::nullopt) one.samples = static_cast<std::int64_t>(*n);
    out.scores.push_back(std::move(one));
  }
}

/// "82.00 (7/8)" is 82 of 8 samples; "-" is nothing.
std::optional<TaskScore> cell_of(std::string_view text) {
  text = dataset::trimmed(text);
  TaskScore out;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), out.value);
  if (failed != std::errc() || !std::isfinite(out.value)) return std::nullopt;
  const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const std::size_t slash = rest.find('/');
  std::int64_t samples = 0;
  if (slash != std::string_view::npos &&
      std::from_chars(rest.data() + slash + 1, rest.data() + rest.size(), samples).ec == std::errc()) {
    out.samples = samples;
  }
  return out;
}

Result<TaskScores> with_any(TaskScores scores) {
  if (scores.scores.empty())
    return Error{ErrorCode::invalid_argument, say(NumericsMsg::evidence_no_scores, scores.tool)};
  return scores;
}

}  // namespace

bool is_lm_eval(const json::value& value) {
  const json::object* const object = value.if_object();
  if (!object || !member(*object, "results")) return false;
  for (const char* key : {"versions", "config", "configs", "n-shot", "n-samples"}) {
    if (object->contains(key)) return true;
  }
  return false;
}

Result<TaskScores> read_lm_eval(const json::value& value) {
  TaskScores out;
  out.tool = "lm-eval";
  const json::object& file = value.as_object();
  for (const auto& [task, metrics] : *member(file, "results")) {
    const json::object* const object = metrics.if_object();
    if (!object)
      return Error{ErrorCode::invalid_argument, say(NumericsMsg::evidence_not_object, "results." + std::string(task))};
    add_task(out, file, task, *object);
  }
  return with_any(std::move(out));
}

bool is_opencompass_csv(std::string_view text) {
  dataset::CsvReader reader(text.substr(0, 8192));
  if (!reader.next()) return false;
  const std::vector<std::string>& head = reader.fields();
  return head.size() > kNamedColumns && dataset::column(head, "dataset") == 0 &&
         dataset::column(head, "version") == 1 && dataset::column(head, "metric") == 2 &&
         dataset::column(head, "mode") == 3;
}

Result<TaskScores> read_opencompass_csv(std::string_view text) {
  TaskScores out;
  out.tool = "OpenCompass";
  dataset::CsvReader reader(text);
  reader.next();
  const std::vector<std::string> head = reader.fields();
  while (reader.next()) {
    const std::vector<std::string>& row = reader.fields();
    if (row.size() != head.size())
      return Error{ErrorCode::invalid_argument,
                   say(NumericsMsg::evidence_columns, reader.line(), row.size(), head.size())};
    for (std::size_t i = kNamedColumns; i < row.size(); ++i) {
      std::optional<TaskScore> score = cell_of(row[i]);
      if (!score || head[i] == "total_count") continue;
      score->task = row[0];
      score->version = row[1];
      score->metric = row[2];
      score->model = head[i];
      out.scores.push_back(std::move(*score));
    }
  }
  return with_any(std::move(out));
}

bool is_opencompass_json(const json::value& value) {
  const json::object* const object = value.if_object();
  return object && !object->contains("results") && (number(*object, "accuracy") || number(*object, "score"));
}

Result<TaskScores> read_opencompass_json(const json::value& value, const std::string& path) {
  TaskScores out;
  out.tool = "OpenCompass";
  const std::filesystem::path file(path);
  for (const auto& [key, each] : value.as_object()) {
    const std::optional<double> score = number(value.as_object(), key);
    if (!score) continue;
    TaskScore one;
    one.task = file.stem().string();
    one.metric = key;
    one.model = file.parent_path().filename().string();
    one.value = *score;
    out.scores.push_back(std::move(one));
  }
  return with_any(std::move(out));
}

}  // namespace scoville::evidence
