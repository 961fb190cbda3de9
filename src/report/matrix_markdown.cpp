#include <fmt/format.h>

#include "report/matrix.hpp"
#include "report/matrix_words.hpp"
#include "text/catalogue/matrix.hpp"

namespace scoville::report {
namespace {

using text::MatrixMsg;
using text::say;

/// A cell must not end its column or its line.
std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c == '\n' || c == '\r' ? ' ' : c;
  }
  return out;
}

std::string row(const std::vector<std::string>& cells) {
  std::string out = "|";
  for (const std::string& each : cells) out += " " + cell(each) + " |";
  return out + "\n";
}

std::string header(const std::vector<std::string>& titles) {
  std::string out = row(titles) + "|";
  for (std::size_t i = 0; i < titles.size(); ++i) out += "---|";
  return out + "\n";
}

std::string rows_of(const matrix::Matrix& matrix) {
  std::string out =
      header({say(MatrixMsg::column_dimension), say(MatrixMsg::column_target), say(MatrixMsg::column_measured),
              say(MatrixMsg::column_n), say(MatrixMsg::column_source), say(MatrixMsg::column_verdict)});
  for (const matrix::Row& each : matrix.rows) {
    if (!each.is_required) {
      out += row({each.title.said(), "", "", "", "", say(MatrixMsg::not_part)});
      continue;
    }
    out += row({"**" + each.title.said() + "**", "", "", "", "", "**" + verdict_word(each.verdict) + "**"});
    for (const matrix::JudgedMeasure* measure : shown_measures(each)) {
      const std::string bounds = bounds_of(measure->target), star = measure->target.is_default ? "\\*" : "";
      const matrix::Estimate& found = measure->estimate;
      const MatrixMsg lack = measure->is_shown_only ? MatrixMsg::target_none : MatrixMsg::target_asked;
      out += row({measure_name(*measure), bounds.empty() ? say(lack) : bounds + star, estimate_cell(found),
                  found.n ? std::to_string(found.n) : "", found.has_data() ? found.source : found.note,
                  measure->is_shown_only ? "" : verdict_word(measure->judgement.verdict)});
    }
  }
  return out;
}

std::string knock_outs_of(const matrix::Matrix& matrix) {
  if (matrix.knock_outs.empty()) return "";
  std::string out =
      "\n" + header({say(MatrixMsg::column_requirement), say(MatrixMsg::column_asked), say(MatrixMsg::column_stated),
                     say(MatrixMsg::column_source), say(MatrixMsg::column_verdict)});
  for (const matrix::KnockOut& each : matrix.knock_outs) {
    const std::string source = each.date.empty() ? each.source : each.source + ", " + each.date;
    out += row({each.requirement.said(), asked_cell(each), stated_cell(each), source,
                each.is_required ? verdict_word(each.verdict) : say(MatrixMsg::not_part)});
  }
  return out;
}

}  // namespace

std::string matrix_markdown(const matrix::Matrix& matrix) {
  const std::string word = overall_word(matrix.overall);
  std::string out = "**" + word + "**: " + because(matrix.overall) + "\n\n";
  if (!matrix.blocking.empty()) out += say(MatrixMsg::blocking, listed(blocking_titles(matrix))) + "\n\n";
  out += rows_of(matrix) + knock_outs_of(matrix);
  if (!matrix.pilots.empty()) {
    out += "\n" + header({say(MatrixMsg::column_pilot), say(MatrixMsg::column_source), say(MatrixMsg::column_verdict)});
    for (const matrix::Pilot& each : matrix.pilots) out += row({each.name, each.source, verdict_word(each.verdict)});
  }
  if (matrix.would_change.empty()) return out;
  out += "\n" + say(MatrixMsg::change_head) + "\n\n";
  for (const matrix::Change& each : matrix.would_change) out += "- " + change_sentence(each) + "\n";
  return out;
}

}  // namespace scoville::report
