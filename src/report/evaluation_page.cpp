#include <fmt/format.h>

#include <algorithm>

#include "report/cells.hpp"
#include "report/evaluation.hpp"
#include "report/matrix_words.hpp"
#include "text/catalogue/evaluate.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using evaluate::CandidateRecord;
using evaluate::Record;
using evaluate::Serving;
using matrix::Overall;
using text::EvaluateMsg;
using text::say;

constexpr std::size_t kMostItems = 4;  // one sheet

std::string tone_of(Overall overall) {
  return overall == Overall::adopt ? "good" : overall == Overall::reject ? "bad" : "open";
}

/// The first, and how many more there are.
std::vector<std::string> first_of(std::vector<std::string> items, std::size_t most = kMostItems) {
  if (items.size() <= most) return items;
  const std::size_t rest = items.size() - most;
  items.resize(most);
  items.push_back(say(EvaluateMsg::and_more, rest));
  return items;
}

/// A pilot first, else the first that was measured on both sides.
const Serving* main_serving(const Record& record, const std::string& candidate) {
  const Serving* out = nullptr;
  for (const Serving& each : record.findings.serving) {
    if (each.candidate != candidate || !each.base) continue;
    const evaluate::Workload* const workload = record.plan.find_workload(each.workload);
    if (!out) out = &each;
    if (workload && workload->is_pilot && each.comparison) return &each;
  }
  return out;
}

void add_figures(Page& page, const Record& record, const Serving& serving) {
  page.heading(say(EvaluateMsg::head_six, serving.workload));
  std::vector<std::vector<std::string>> rows;
  bool has_star = false;
  for (const FigureRow& each : six_figures(record, serving)) {
    rows.push_back({each.name, each.base, each.candidate, each.ratio});
    has_star = has_star || each.base.ends_with('*') || each.candidate.ends_with('*');
  }
  page.table({say(EvaluateMsg::column_figure), record.plan.systems.front().name,
              serving.candidate.empty() ? kNone : serving.candidate, say(EvaluateMsg::column_ratio)},
             std::move(rows));
  if (has_star) page.small(say(EvaluateMsg::star));
  if (!serving.why_none.english.empty()) page.small(serving.why_none.said());
}

/// The other workloads in a line each.
void add_others(Page& page, const Record& record, const Serving& shown_one) {
  std::vector<std::string> lines;
  for (const Serving& each : record.findings.serving) {
    if (&each == &shown_one || each.candidate != shown_one.candidate) continue;
    const auto rows = six_figures(record, each);
    lines.push_back(say(EvaluateMsg::other_workload, each.workload, rows[4].ratio, rows[1].base, rows[1].candidate,
                        rows[3].base, rows[3].candidate));
  }
  if (!lines.empty()) page.list(first_of(std::move(lines), 3));
}

void add_cost(Page& page, const Record& record) {
  page.heading(say(EvaluateMsg::head_cost));
  const evaluate::CostPart& cost = record.cost;
  if (cost.state != evaluate::CostPart::State::done) {
    page.paragraph(cost.state == evaluate::CostPart::State::not_asked ? say(EvaluateMsg::cost_not_asked)
                                                                      : cost.why.said());
    return;
  }
  page.paragraph(say(EvaluateMsg::cost_method, cost.method.said()));
  if (!cost.break_even.english.empty()) page.paragraph(cost.break_even.said());
}

std::string asked(const matrix::Target& target) {
  const std::string bounds = bounds_of(target);
  return bounds.empty() ? kNone : bounds;
}

/// The measure that decides for its row: the first with the row's verdict.
const matrix::JudgedMeasure* deciding(const matrix::Row& row) {
  for (const matrix::JudgedMeasure& each : row.measures) {
    if (each.judgement.verdict == row.verdict && !each.is_shown_only) return &each;
  }
  return row.measures.empty() ? nullptr : &row.measures.front();
}

void add_matrix(Page& page, const matrix::Matrix& matrix) {
  page.heading(say(EvaluateMsg::head_matrix, matrix.template_id, matrix.template_version));
  std::vector<std::vector<std::string>> rows;
  for (const matrix::Row& row : matrix.rows) {
    if (!row.is_required) continue;
    const matrix::JudgedMeasure* const measure = deciding(row);
    std::string name = row.title.said();
    if (measure)
      name = say(EvaluateMsg::row_measure, name,
                 measure->title.said() + (measure->workload.empty() ? "" : " (" + measure->workload + ")"));
    rows.push_back({name, measure ? asked(measure->target) : kNone,
                    measure ? text::shorten(value_or_note(measure->estimate), 40) : kNone, verdict_word(row.verdict)});
  }
  for (const matrix::KnockOut& each : matrix.knock_outs) {
    if (!each.is_required) continue;
    rows.push_back({each.requirement.said(), asked_cell(each), stated_cell(each), verdict_word(each.verdict)});
  }
  for (const matrix::Pilot& each : matrix.pilots)
    rows.push_back({say(EvaluateMsg::row_pilot, each.name), kNone,
                    each.note.empty() ? kNone : text::shorten(each.note, 40), verdict_word(each.verdict)});
  page.table({say(EvaluateMsg::column_row), say(EvaluateMsg::column_target), say(EvaluateMsg::column_measured),
              say(EvaluateMsg::column_verdict)},
             std::move(rows));
}

void add_small_print(Page& page, const Record& record, const CandidateRecord* candidate) {
  if (!record.claims.empty()) {
    std::vector<std::string> claims;
    for (const evaluate::ClaimPart& each : record.claims)
      claims.push_back(fmt::format("{}: {} ({})", each.id, each.verdict, each.evidence));
    page.heading(say(EvaluateMsg::head_claims));
    page.list(first_of(std::move(claims), 3));
  }
  for (const evaluate::Dissent& each : record.plan.dissents)
    page.small(say(EvaluateMsg::dissent, each.who, each.words));
  if (candidate) {
    const auto good = std::count_if(candidate->self_check.begin(), candidate->self_check.end(),
                                    [](const evaluate::SelfCheck& each) { return each.holds; });
    page.small(say(EvaluateMsg::self_summary, good, candidate->self_check.size()));
  }
  page.small(say(EvaluateMsg::provenance, record.date, record.expires, record.version, record.method_version,
                 record.inputs_hash.substr(0, 16)));
}

}  // namespace

Page manager_page(const Record& record) {
  Page page;
  page.title = record.plan.question.empty() ? record.plan.name : record.plan.name + ": " + record.plan.question;
  page.language = text::language() == text::Language::chinese ? "zh-CN" : "en";
  const CandidateRecord* const best = record.best();
  if (record.is_dry) page.lead(say(EvaluateMsg::dry_run), "open");
  if (best)
    page.lead(verdict_sentence(*best), tone_of(best->matrix.overall));
  else
    page.lead(say(EvaluateMsg::baseline_recorded, record.plan.systems.front().name), "open");
  for (const CandidateRecord& each : record.candidates) {
    if (&each != best) page.paragraph(verdict_sentence(each));
  }
  const Serving* const serving = main_serving(record, best ? best->matrix.candidate : "");
  if (serving) {
    add_figures(page, record, *serving);
    add_others(page, record, *serving);
  }
  add_cost(page, record);
  if (best) {
    add_matrix(page, best->matrix);
    page.heading(say(EvaluateMsg::head_risks));
    std::vector<std::string> risks;
    for (const text::Phrase& each : best->risks) risks.push_back(each.said());
    page.list(std::move(risks));
    page.heading(say(EvaluateMsg::head_not_tested));
    page.paragraph(listed(not_tested(record, *best)));
    page.heading(say(EvaluateMsg::head_would_change));
    page.list(first_of(would_change(record, *best)));
  }
  add_small_print(page, record, best);
  return page;
}

}  // namespace scoville::report
