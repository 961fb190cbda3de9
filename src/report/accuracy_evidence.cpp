#include "report/accuracy_evidence.hpp"

#include <fmt/format.h>

#include "numerics/judge.hpp"
#include "report/cells.hpp"
#include "text/catalogue/numerics.hpp"
#include "text/table.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using namespace evidence;
using text::NumericsMsg;
using text::say;

constexpr std::size_t kColumns = 100, kMostRows = 40;

std::string paragraph(const std::string& sentence) { return text::wrapped(sentence, kColumns, 2); }

std::string figure(std::optional<double> value, const char* format = "{:.1e}") {
  return value ? fmt::format(fmt::runtime(format), *value) : kNone;
}

/// The end of a name says which tensor it is: the beginning is cut.
std::string name_cell(const std::string& name) {
  constexpr std::size_t kMost = 40;
  return name.size() <= kMost ? name : "…" + name.substr(name.size() - kMost + 1);
}

json::array files_json(const std::vector<SourceFile>& files) {
  json::array out;
  for (const SourceFile& each : files) out.push_back(json::object{{"name", each.name}, {"sha256", each.sha256}});
  return out;
}

json::value text_or_null(const std::string& text) { return text.empty() ? json::value(nullptr) : json::value(text); }

json::object tensor_json(const ProbedTensor& t) {
  return {{"name", t.name},
          {"dtype", text_or_null(t.dtype)},
          {"shape", text_or_null(t.shape)},
          {"over", t.is_over},
          {"looks_like", t.rel_l2 ? json::value(numerics::name_of(t.look)) : json::value(nullptr)},
          {"rel_l2", number_or_null(t.rel_l2)},
          {"cosine", number_or_null(t.cosine)},
          {"max_abs", number_or_null(t.max_abs)},
          {"max_relative", number_or_null(t.max_relative)},
          {"norm_change", number_or_null(t.norm_change)},
          {"within_thousandth", number_or_null(t.within_thousandth)},
          {"result", text_or_null(t.result)},
          {"message", text_or_null(t.message)}};
}

json::object run_json(const ProbedRun& run) {
  json::array tensors;
  for (const ProbedTensor& each : run.tensors) tensors.push_back(tensor_json(each));
  const std::optional<std::size_t> first = run.first_over();
  return {{"tool", "msProbe"},
          {"by", name_of(run.by)},
          {"files", files_json(run.files)},
          {"first_over", first ? json::value(run.tensors[*first].name) : json::value(nullptr)},
          {"tensors", std::move(tensors)}};
}

json::object scores_json(const TaskScores& scores) {
  json::array rows;
  for (const TaskScore& each : scores.scores) {
    rows.push_back(json::object{{"task", each.task},
                                {"metric", each.metric},
                                {"model", text_or_null(each.model)},
                                {"version", text_or_null(each.version)},
                                {"value", each.value},
                                {"standard_error", number_or_null(each.standard_error)},
                                {"samples", each.samples ? json::value(*each.samples) : json::value(nullptr)}});
  }
  return {{"tool", scores.tool}, {"files", files_json({scores.file})}, {"scores", std::move(rows)}};
}

std::string names_of(const std::vector<SourceFile>& files) {
  std::string out;
  for (const SourceFile& each : files) out += (out.empty() ? "" : ", ") + each.name;
  return out;
}

/// The first rows, and beyond them those that are over.
std::string tensor_rows(const ProbedRun& run) {
  text::Table table({say(NumericsMsg::column_tensor), say(NumericsMsg::column_rel_l2), say(NumericsMsg::column_cosine),
                     say(NumericsMsg::column_norm_change), say(NumericsMsg::column_looks_like),
                     say(NumericsMsg::column_result)});
  table.flush_left(4);
  table.flush_left(5);
  std::size_t shown = 0, left_out = 0;
  for (const ProbedTensor& each : run.tensors) {
    if (shown >= kMostRows && !(each.is_over && shown < 2 * kMostRows)) {
      ++left_out;
      continue;
    }
    ++shown;
    const std::string note = each.is_over ? say(NumericsMsg::note_over) : "";
    table.add_row({name_cell(each.name), figure(each.rel_l2), figure(each.cosine, "{:.5f}"), figure(each.norm_change),
                   each.rel_l2 ? text::shorten(say(numerics::words_of(each.look)), 14) : kNone,
                   text::shorten(each.result.empty() ? note : each.result, 10)});
  }
  return table.render() + (left_out ? paragraph(say(NumericsMsg::evidence_more, left_out)) : "");
}

std::string layers(const ProbedRun& run) {
  const std::optional<std::size_t> first = run.first_over();
  return paragraph(say(NumericsMsg::evidence_layers, name_of(run.by), names_of(run.files))) + "\n" + tensor_rows(run) +
         "\n" +
         paragraph(first ? say(NumericsMsg::evidence_first, run.tensors[*first].name)
                         : say(NumericsMsg::evidence_none_over, run.tensors.size()));
}

std::string score_rows(const TaskScores& scores) {
  text::Table table({say(NumericsMsg::column_task), say(NumericsMsg::column_metric), say(NumericsMsg::column_score),
                     say(NumericsMsg::column_error), say(NumericsMsg::column_samples), say(NumericsMsg::column_model)});
  table.flush_left(1);
  table.flush_left(5);
  for (const TaskScore& each : scores.scores) {
    table.add_row({text::shorten(each.task, 26), text::shorten(each.metric, 24), fmt::format("{:.4g}", each.value),
                   figure(each.standard_error, "{:.2g}"), each.samples ? std::to_string(*each.samples) : kNone,
                   text::shorten(each.model, 18)});
  }
  return paragraph(say(NumericsMsg::evidence_tasks, scores.tool, scores.file.name)) + "\n" + table.render();
}

}  // namespace

json::object accuracy_evidence_json(const AccuracyEvidence& evidence) {
  json::array runs, tasks;
  for (const ProbedRun& each : evidence.layers) runs.push_back(run_json(each));
  for (const TaskScores& each : evidence.tasks) tasks.push_back(scores_json(each));
  json::object out{{"schema", "scoville.accuracy_evidence/1"}};
  out["layers"] = std::move(runs);
  out["tasks"] = std::move(tasks);
  return out;
}

std::string accuracy_evidence_table(const AccuracyEvidence& evidence) {
  std::string out;
  for (const ProbedRun& each : evidence.layers) out += (out.empty() ? "" : "\n") + layers(each);
  for (const TaskScores& each : evidence.tasks) out += (out.empty() ? "" : "\n") + score_rows(each);
  return out;
}

}  // namespace scoville::report
