#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/duration.hpp"
#include "cost/currency.hpp"
#include "report/cells.hpp"
#include "report/evaluation.hpp"
#include "report/matrix.hpp"
#include "report/matrix_words.hpp"
#include "text/catalogue/evaluate.hpp"

namespace scoville::report {
namespace {

using evaluate::Serving;
using text::EvaluateMsg;
using text::say;

std::string three_digits(double value) {
  if (value == 0) return "0";
  const double size = std::abs(value);
  return size >= 1000 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

/// A figure of an arm: its median over runs, and the interval.
std::string figure_cell(const std::optional<decide::Arm>& arm, std::string_view metric, bool is_latency) {
  const auto figure = arm ? evaluate::figure_of(*arm, metric) : std::nullopt;
  if (!figure || !figure->median) return kNone;
  const auto show = [&](double value) {
    return is_latency ? format_duration(Nanos(std::llround(value))) : three_digits(value);
  };
  return show(*figure->median) + (figure->is_supported ? "" : "*");
}

std::string ratio_cell(const Serving& serving, std::string_view metric) {
  if (!serving.comparison) return kNone;
  const decide::MetricComparison* const found = serving.comparison->find(metric);
  if (!found || !found->ratio) return kNone;
  const stats::Estimate& ratio = *found->ratio;
  if (!ratio.interval) return fmt::format("{:.3f}", ratio.value);
  return fmt::format("{:.3f} [{:.3f}, {:.3f}]", ratio.value, ratio.interval->lower, ratio.interval->upper);
}

std::string money_cell(const evaluate::CostPart::PerSystem& system, const std::string& currency) {
  std::string out = cost::money_text(*system.per_mtok_out, currency);
  if (system.low && system.high)
    out +=
        fmt::format(" [{}, {}]", cost::amount_text(*system.low, currency), cost::amount_text(*system.high, currency));
  return out;
}

std::string cost_cell(const evaluate::CostPart& cost, const std::string& system) {
  for (const auto& each : cost.systems) {
    if (each.system != system || !each.per_mtok_out) continue;
    return money_cell(each, cost.currency);
  }
  return kNone;
}

std::string concurrency_of(const evaluate::Record& record, const Serving& serving) {
  const evaluate::Workload* const workload = record.plan.find_workload(serving.workload);
  if (workload && workload->concurrency) return say(EvaluateMsg::users, *workload->concurrency);
  if (workload && workload->rate) return say(EvaluateMsg::per_second, *workload->rate);
  return kNone;
}

/// Figures that a later telemetry brings: said by others, or not measured.
std::string brought(const evaluate::Record& record, const std::string& system, const char* row) {
  for (const evaluate::BroughtResult& each : record.plan.results) {
    if (each.system == system && each.row == row) return with_unit(each.value, each.unit) + " (" + each.source + ")";
  }
  return say(EvaluateMsg::not_measured);
}

std::string why_not(evaluate::WhyNot why) {
  switch (why) {
    case evaluate::WhyNot::other_version:
      return say(EvaluateMsg::why_other_version);
    case evaluate::WhyNot::not_live:
      return say(EvaluateMsg::why_not_live);
    case evaluate::WhyNot::no_workload:
      return say(EvaluateMsg::why_no_workload);
    case evaluate::WhyNot::one_system:
      return say(EvaluateMsg::why_one_system);
  }
  return "";
}

}  // namespace

namespace {

/// What was required and failed; or what was required and is neither failed nor passed.
std::vector<std::string> titles_that(const matrix::Matrix& matrix, bool has_failed) {
  using matrix::Verdict;
  std::vector<std::string> out;
  const auto add = [&](bool is_required, Verdict verdict, const std::string& title) {
    if (is_required && verdict != Verdict::pass && (verdict == Verdict::fail) == has_failed) out.push_back(title);
  };
  for (const matrix::Row& each : matrix.rows) add(each.is_required, each.verdict, each.title.said());
  for (const matrix::KnockOut& each : matrix.knock_outs) add(each.is_required, each.verdict, each.requirement.said());
  for (const matrix::Pilot& each : matrix.pilots) add(true, each.verdict, say(EvaluateMsg::row_pilot, each.name));
  return out;
}

}  // namespace

std::string verdict_sentence(const evaluate::CandidateRecord& candidate) {
  const matrix::Matrix& matrix = candidate.matrix;
  const std::string blocking = matrix.blocking.empty() ? kNone : listed(blocking_titles(matrix));
  switch (matrix.overall) {
    case matrix::Overall::adopt:
      return say(EvaluateMsg::verdict_adopt, matrix.candidate, matrix.baseline);
    case matrix::Overall::pilot:
      if (matrix.pilots.empty()) return say(EvaluateMsg::verdict_pilot_none, matrix.candidate, matrix.baseline);
      return say(EvaluateMsg::verdict_pilot, matrix.candidate, matrix.baseline, blocking);
    case matrix::Overall::hold:
      return say(EvaluateMsg::verdict_hold, matrix.candidate, matrix.baseline, blocking);
    case matrix::Overall::reject: {
      const std::string failed = listed(titles_that(matrix, true)), open = listed(titles_that(matrix, false));
      return open.empty() ? say(EvaluateMsg::verdict_reject, matrix.candidate, matrix.baseline, failed)
                          : say(EvaluateMsg::verdict_reject_open, matrix.candidate, matrix.baseline, failed, open);
    }
  }
  return "";
}

std::string value_or_note(const matrix::Estimate& estimate) {
  return estimate.has_data() || estimate.note.empty() ? estimate_cell(estimate) : estimate.note;
}

std::vector<std::string> not_tested(const evaluate::Record& record, const evaluate::CandidateRecord& candidate) {
  std::vector<std::string> out;
  for (const matrix::Row& row : candidate.matrix.rows) {
    if (row.verdict != matrix::Verdict::untested) continue;
    const auto untested = std::find_if(row.measures.begin(), row.measures.end(), [](const auto& each) {
      return !each.is_shown_only && each.judgement.verdict == matrix::Verdict::untested;
    });
    std::string why;
    if (untested != row.measures.end() && untested->judgement.reason == matrix::Reason::no_target &&
        untested->estimate.has_data())
      why = say(EvaluateMsg::reason_no_target);
    else if (untested != row.measures.end())
      why = untested->estimate.note;
    out.push_back(row.title.said() + (why.empty() ? "" : " (" + why + ")"));
  }
  for (const evaluate::NotRun& each : record.agenda.not_run) {
    if (each.why == evaluate::WhyNot::other_version) continue;  // its row says so
    out.push_back(fmt::format("{}{}: {}", evaluate::names_of_stages()[static_cast<std::size_t>(each.stage)],
                              each.candidate.empty() ? "" : " " + each.candidate, why_not(each.why)));
  }
  for (const evaluate::Step& each : record.agenda.steps) {
    const evaluate::StepResult* const result = evaluate::result_of(record.journal, each);
    if (!result || !result->has_answer())
      out.push_back(each.id + ": " +
                    (!result                                       ? say(EvaluateMsg::not_run_yet)
                     : result->said == evaluate::kClientBottleneck ? say(EvaluateMsg::unsound)
                                                                   : result->said));
  }
  return out;
}

std::vector<std::string> would_change(const evaluate::Record& record, const evaluate::CandidateRecord& candidate) {
  std::vector<std::string> out;
  for (const matrix::Change& each : candidate.matrix.would_change) out.push_back(change_sentence(each));
  for (const text::Phrase& each : candidate.mix) out.push_back(each.said());
  for (std::size_t i = 0; i < std::min<std::size_t>(3, record.cost.sensitivities.size()); ++i)
    out.push_back(say(EvaluateMsg::change_cost, record.cost.sensitivities[i].said()));
  if (!record.cost.break_even.english.empty()) out.push_back(record.cost.break_even.said());
  return out;
}

std::vector<FigureRow> six_figures(const evaluate::Record& record, const Serving& serving) {
  std::vector<FigureRow> out;
  const auto add = [&](std::string name, std::string_view metric, bool is_latency) {
    out.push_back({std::move(name), figure_cell(serving.base, metric, is_latency),
                   figure_cell(serving.other, metric, is_latency), ratio_cell(serving, metric)});
  };
  add("TTFT P50", "ttft", true);
  add("TTFT P95", "ttft_p95", true);
  add("TPOT P50", "tpot", true);
  add("TPOT P95", "tpot_p95", true);
  add(say(EvaluateMsg::figure_throughput), "output_tokens_per_s", false);
  const evaluate::Workload* const workload = record.plan.find_workload(serving.workload);
  if (workload && !workload->slos.empty()) add(say(EvaluateMsg::figure_goodput), "goodput_per_s", false);
  const std::string base = record.plan.systems.front().name, load = concurrency_of(record, serving);
  const std::string memory = say(EvaluateMsg::memory_cell, say(EvaluateMsg::not_measured), load);
  out.push_back({say(EvaluateMsg::figure_memory), memory, serving.candidate.empty() ? kNone : memory, kNone});
  out.push_back({say(EvaluateMsg::figure_power), brought(record, base, "energy"),
                 serving.candidate.empty() ? kNone : brought(record, serving.candidate, "energy"), kNone});
  out.push_back({say(record.cost.is_blended ? EvaluateMsg::figure_cost_blended : EvaluateMsg::figure_cost),
                 cost_cell(record.cost, base),
                 serving.candidate.empty() ? kNone : cost_cell(record.cost, serving.candidate), kNone});
  return out;
}

}  // namespace scoville::report
