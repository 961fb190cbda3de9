#include <fmt/format.h>

#include "report/cells.hpp"
#include "report/matrix.hpp"
#include "report/matrix_words.hpp"
#include "text/catalogue/matrix.hpp"
#include "text/table.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using matrix::JudgedMeasure;
using matrix::Matrix;
using matrix::Row;
using text::MatrixMsg;
using text::say;

constexpr std::size_t kNameWidth = 38;

std::string line(const std::string& sentence, std::size_t indent = 2) {
  return text::wrapped(sentence, kDecisionWidth, indent);
}

std::string target_cell(const JudgedMeasure& measure) {
  const std::string bounds = bounds_of(measure.target);
  if (bounds.empty()) return say(measure.is_shown_only ? MatrixMsg::target_none : MatrixMsg::target_asked);
  return bounds + (measure.target.is_default ? "*" : "");
}

std::string n_cell(const matrix::Estimate& estimate) { return estimate.n ? std::to_string(estimate.n) : ""; }

/// A line of the row, and below it one of each measure that has something to say.
void add_row(text::Table& table, const Row& row) {
  const auto shown = shown_measures(row);
  table.add_row({text::shorten(row.title.said(), kNameWidth), "", "", "", verdict_word(row.verdict)});
  for (const JudgedMeasure* each : shown) {
    const bool says_more = shown.size() > 1 && !each->is_shown_only;
    table.add_row({"  " + text::shorten(measure_name(*each), kNameWidth - 2), target_cell(*each),
                   estimate_cell(each->estimate), n_cell(each->estimate),
                   says_more ? "  " + verdict_word(each->judgement.verdict) : ""});
  }
}

std::string rows_table(const Matrix& matrix, bool detail) {
  text::Table table({say(MatrixMsg::column_dimension), say(MatrixMsg::column_target), say(MatrixMsg::column_measured),
                     say(MatrixMsg::column_n), say(MatrixMsg::column_verdict)});
  table.flush_left(4);
  std::size_t required = 0;
  for (const Row& each : matrix.rows) {
    if (each.is_required) add_row(table, each), ++required;
  }
  std::vector<std::string> others;
  for (const Row& each : matrix.rows) {
    if (!each.is_required) others.push_back(each.title.said());
  }
  std::string out;
  if (detail && !others.empty()) {
    if (required) table.add_rule();
    table.add_row({say(MatrixMsg::not_part)});
    for (const Row& each : matrix.rows) {
      if (!each.is_required) add_row(table, each);
    }
    return table.render();
  }
  if (required) out += table.render();
  return others.empty() ? out : out + line(say(MatrixMsg::not_part_list, listed(others)));
}

/// Where the targets come from that nobody of the plan set.
std::string defaults_line(const Matrix& matrix, bool detail) {
  std::vector<std::string> sources;
  for (const Row& row : matrix.rows) {
    if (!row.is_required && !detail) continue;
    for (const JudgedMeasure* each : shown_measures(row)) {
      if (!each->target.is_default || !each->target.is_set()) continue;
      sources.push_back(say(MatrixMsg::default_of, each->title.said(), source_of(each->target)));
    }
  }
  return sources.empty() ? "" : line(say(MatrixMsg::default_mark, listed(sources)));
}

std::string knock_out_table(const Matrix& matrix) {
  if (matrix.knock_outs.empty()) return "";
  text::Table table({say(MatrixMsg::column_requirement), say(MatrixMsg::column_asked), say(MatrixMsg::column_stated),
                     say(MatrixMsg::column_source), say(MatrixMsg::column_verdict)});
  table.flush_left(3);
  table.flush_left(4);
  for (const matrix::KnockOut& each : matrix.knock_outs) {
    const std::string source = each.date.empty() ? each.source : each.source + ", " + each.date;
    const std::string verdict = verdict_word(each.verdict);
    table.add_row({text::shorten(each.requirement.said(), 30), text::shorten(asked_cell(each), 18),
                   text::shorten(stated_cell(each), 13), text::shorten(source, 24),
                   each.is_required ? verdict : "(" + verdict + ")"});
  }
  return "\n" + table.render();
}

std::string pilot_table(const Matrix& matrix) {
  if (matrix.pilots.empty()) return "";
  text::Table table({say(MatrixMsg::column_pilot), say(MatrixMsg::column_source), say(MatrixMsg::column_verdict)});
  table.flush_left(1);
  table.flush_left(2);
  for (const matrix::Pilot& each : matrix.pilots) table.add_row({each.name, each.source, verdict_word(each.verdict)});
  return "\n" + table.render();
}

std::string changes(const Matrix& matrix) {
  if (matrix.would_change.empty()) return "";
  std::string out = "\n" + say(MatrixMsg::change_head) + "\n";
  for (const matrix::Change& each : matrix.would_change) out += line("- " + change_sentence(each));
  return out;
}

std::string methods(const Matrix& matrix) {
  std::string out = "\n";
  for (const Row& row : matrix.rows) {
    if (!row.method.said().empty()) out += line(say(MatrixMsg::head, row.title.said(), row.method.said()));
  }
  return out;
}

}  // namespace

std::string matrix_table(const Matrix& matrix, bool detail) {
  const std::string subject =
      matrix.baseline.empty() ? matrix.candidate : say(MatrixMsg::head_against, matrix.candidate, matrix.baseline);
  std::string out = line(say(MatrixMsg::head_answer, subject, overall_word(matrix.overall), because(matrix.overall)));
  if (!matrix.blocking.empty()) out += line(say(MatrixMsg::blocking, listed(blocking_titles(matrix))));
  out += line(say(MatrixMsg::head_form, matrix.template_id, matrix.template_version,
                  matrix.scenario.empty() ? say(MatrixMsg::no_scenario) : matrix.scenario)) +
         "\n";
  out += rows_table(matrix, detail) + defaults_line(matrix, detail);
  out += knock_out_table(matrix) + pilot_table(matrix) + changes(matrix);
  return detail ? out + methods(matrix) : out;
}

}  // namespace scoville::report
