#include "report/matrix_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "report/cells.hpp"
#include "report/matrix.hpp"
#include "text/catalogue/matrix.hpp"

namespace scoville::report {

using matrix::Change;
using matrix::Estimate;
using matrix::KnockOut;
using matrix::Reason;
using matrix::Target;
using matrix::Verdict;
using text::MatrixMsg;
using text::say;

std::string verdict_word(Verdict verdict) {
  constexpr std::array kWords{MatrixMsg::verdict_pass, MatrixMsg::verdict_fail, MatrixMsg::verdict_inconclusive,
                              MatrixMsg::verdict_untested};
  return say(kWords[static_cast<std::size_t>(verdict)]);
}

std::string overall_word(matrix::Overall overall) {
  constexpr std::array kWords{MatrixMsg::overall_adopt, MatrixMsg::overall_pilot, MatrixMsg::overall_hold,
                              MatrixMsg::overall_reject};
  return say(kWords[static_cast<std::size_t>(overall)]);
}

std::string because(matrix::Overall overall) {
  constexpr std::array kWords{MatrixMsg::because_adopt, MatrixMsg::because_pilot, MatrixMsg::because_hold,
                              MatrixMsg::because_reject};
  return say(kWords[static_cast<std::size_t>(overall)]);
}

std::string with_unit(double value, const std::string& unit) {
  const std::string shown = number(value);
  if (unit.empty() || unit == "1") return shown;
  return shown + " " + (unit == "months" ? say(MatrixMsg::unit_months) : unit);
}

std::string bounds_of(const Target& target) {
  if (target.least && target.most)
    return fmt::format("{} … {}", number(*target.least), with_unit(*target.most, target.unit));
  if (target.least) return "≥ " + with_unit(*target.least, target.unit);
  if (target.most) return "≤ " + with_unit(*target.most, target.unit);
  return "";
}

std::string source_of(const Target& target) {
  const bool is_chinese = text::language() == text::Language::chinese;
  return is_chinese && !target.source_zh.empty() ? target.source_zh : target.source;
}

std::string estimate_cell(const Estimate& estimate) {
  if (!estimate.value) {
    if (estimate.low && estimate.high)
      return fmt::format("{} … {}", number(*estimate.low), with_unit(*estimate.high, estimate.unit));
    if (estimate.low) return "≥ " + with_unit(*estimate.low, estimate.unit);
    if (estimate.high) return "≤ " + with_unit(*estimate.high, estimate.unit);
    return kNone;
  }
  std::string out = with_unit(*estimate.value, estimate.unit);
  if (estimate.is_exact || (!estimate.low && !estimate.high)) return out;
  const auto end = [](const std::optional<double>& value) { return value ? number(*value) : std::string("…"); };
  return out + fmt::format(" [{}, {}]", end(estimate.low), end(estimate.high));
}

std::string asked_cell(const KnockOut& knock_out) {
  if (!knock_out.accepted.empty()) return fmt::format("{}", fmt::join(knock_out.accepted, " | "));
  const std::string bounds = bounds_of(knock_out.target);
  return bounds.empty() ? kNone : bounds;
}

std::string stated_cell(const KnockOut& knock_out) {
  if (knock_out.word) return *knock_out.word;
  if (!knock_out.number) return kNone;
  Estimate estimate;
  estimate.value = knock_out.number->value;
  estimate.low = knock_out.number->low;
  estimate.high = knock_out.number->high;
  estimate.unit = knock_out.target.unit;
  return estimate_cell(estimate);
}

std::string measure_name(const matrix::JudgedMeasure& measure) {
  return measure.workload.empty() ? measure.title.said() : measure.title.said() + " · " + measure.workload;
}

std::vector<const matrix::JudgedMeasure*> shown_measures(const matrix::Row& row) {
  std::vector<const matrix::JudgedMeasure*> out;
  for (const matrix::JudgedMeasure& each : row.measures) {
    if (each.estimate.has_data() || each.target.is_set()) out.push_back(&each);
  }
  return out;
}

std::vector<std::string> blocking_titles(const matrix::Matrix& matrix) {
  std::vector<std::string> out;
  for (const std::string& id : matrix.blocking) {
    std::string title = id;
    for (const matrix::Row& each : matrix.rows) {
      if (each.id == id) title = each.title.said();
    }
    for (const KnockOut& each : matrix.knock_outs) {
      if (each.id == id && !each.requirement.said().empty()) title = each.requirement.said();
    }
    out.push_back(title);
  }
  return out;
}

std::string listed(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, say(MatrixMsg::list_comma)));
}

namespace {

std::string subject_of(const Change& change) {
  std::string out = change.title.said().empty() ? change.id : change.title.said();
  if (change.measure.empty()) return out;
  out = say(MatrixMsg::subject, out, change.measure_title.said());
  return change.workload.empty() ? out : out + " · " + change.workload;
}

std::string row_sentence(const Change& change) {
  const std::string subject = subject_of(change), bounds = bounds_of(change.target);
  const std::string measured = estimate_cell(change.estimate);
  const std::size_t n = change.estimate.n;
  const std::optional<std::size_t>& needed = change.judgement.needed;
  if (change.verdict == Verdict::fail) return say(MatrixMsg::change_fails, subject, bounds, measured);
  switch (change.judgement.reason) {
    case Reason::no_target:
      return say(MatrixMsg::change_no_target, subject, measured);
    case Reason::units_differ:
      return say(MatrixMsg::change_units, subject, change.target.unit, change.estimate.unit);
    case Reason::no_interval:
      return say(MatrixMsg::change_no_interval, subject, measured, bounds);
    case Reason::too_few_runs:
      return say(MatrixMsg::change_runs, subject, needed.value_or(0), n);
    case Reason::too_few_samples:
      return say(MatrixMsg::change_samples, subject, needed.value_or(0), change.estimate.samples.value_or(0));
    case Reason::straddles:
      return needed ? say(MatrixMsg::change_straddles_runs, subject, measured, bounds, *needed, n)
                    : say(MatrixMsg::change_straddles, subject, measured, bounds);
    case Reason::none:
    case Reason::no_data:
      break;
  }
  const std::string& needs = change.needs.said();
  const std::string out = needs.empty() ? say(MatrixMsg::change_row_untested_bare, subject)
                                        : say(MatrixMsg::change_row_untested, subject, needs);
  return change.estimate.note.empty() ? out : out + " " + say(MatrixMsg::change_row_why, change.estimate.note);
}

std::string knock_out_sentence(const Change& change) {
  const KnockOut& knock_out = change.knock_out;
  const std::string subject = subject_of(change);
  const bool has_limit = knock_out.target.is_set() || !knock_out.accepted.empty();
  if (change.verdict == Verdict::fail) {
    return has_limit ? say(MatrixMsg::change_knock_out_failed, subject, asked_cell(knock_out), stated_cell(knock_out))
                     : say(MatrixMsg::change_knock_out_check_failed, subject);
  }
  if (change.verdict == Verdict::inconclusive && has_limit)
    return say(MatrixMsg::change_knock_out_range, subject, asked_cell(knock_out), stated_cell(knock_out));
  return say(has_limit ? MatrixMsg::change_knock_out_value : MatrixMsg::change_knock_out_check, subject);
}

}  // namespace

std::string change_sentence(const Change& change) {
  switch (change.subject) {
    case Change::Subject::row:
      return row_sentence(change);
    case Change::Subject::knock_out:
      return knock_out_sentence(change);
    case Change::Subject::pilot:
      return say(change.verdict == Verdict::fail ? MatrixMsg::change_pilot_failed : MatrixMsg::change_pilot_run,
                 change.id);
    case Change::Subject::nothing_required:
      return say(MatrixMsg::change_nothing_required);
    case Change::Subject::no_pilot:
      break;
  }
  return say(MatrixMsg::change_no_pilot);
}

}  // namespace scoville::report
