#include <fmt/format.h>

#include "base/duration.hpp"
#include "report/cells.hpp"
#include "report/evaluation.hpp"
#include "text/catalogue/evaluate.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using evaluate::Agenda;
using evaluate::Step;
using text::EvaluateMsg;
using text::say;

std::string self_check_text(const evaluate::CandidateRecord& candidate) {
  std::string out = "\n" + say(EvaluateMsg::head_self_check) + "\n";
  for (const evaluate::SelfCheck& each : candidate.self_check)
    out += text::wrapped((each.holds ? "  + " : "  ! ") + each.sentence.said(), kLineWidth, 4);
  return out;
}

std::string estimate_of(const Step& step) {
  const std::string length = step.estimate ? "≥ " + format_duration(*step.estimate) : say(EvaluateMsg::length_unknown);
  return step.requests ? say(EvaluateMsg::agenda_runs, step.runs, step.requests, length) : length;
}

Nanos total(const Agenda& agenda) {
  Nanos out{};
  for (const Step& each : agenda.steps) out += each.estimate.value_or(Nanos{});
  return out;
}

/// Rows that are required and that no step of this plan and nothing brought gives a value.
std::vector<const matrix::RowTemplate*> without_source(const evaluate::Plan& plan, const Agenda& agenda) {
  const auto is_run = [&](evaluate::Stage stage) {
    for (const Step& each : agenda.steps) {
      if (each.stage == stage) return true;
    }
    return false;
  };
  const auto has_runs = [&] {
    for (const evaluate::System& each : plan.systems) {
      if (!each.runs.empty()) return true;
    }
    return false;
  };
  std::vector<const matrix::RowTemplate*> out;
  for (const std::string& id : plan.required) {
    const matrix::RowTemplate* const row = plan.form.find_row(id);
    bool is_brought = false;
    for (const evaluate::BroughtResult& each : plan.results) is_brought = is_brought || each.row == id;
    const bool is_serving = id == "serving_throughput" || id == "latency_tail" || id == "flexibility";
    const bool is_made = (id == "correctness" && is_run(evaluate::Stage::correctness)) ||
                         (is_serving && (is_run(evaluate::Stage::serving) || has_runs())) ||
                         (id == "unit_cost" && plan.has_cost) || (id == "migration_cost" && plan.has_migration);
    if (row && !is_brought && !is_made) out.push_back(row);
  }
  return out;
}

}  // namespace

std::string evaluation_text(const evaluate::Record& record) {
  std::string out = page_text(manager_page(record), kLineWidth);
  if (const evaluate::CandidateRecord* const best = record.best()) out += self_check_text(*best);
  return out;
}

std::string agenda_text(const evaluate::Plan& plan, const Agenda& agenda) {
  std::string out = say(EvaluateMsg::agenda_head, plan.name, agenda.steps.size()) + "\n";
  std::size_t number = 0;
  for (const Step& each : agenda.steps) {
    out += fmt::format("\n{}. {} ({})\n", ++number, each.id, estimate_of(each));
    out += "   scoville " + evaluate::shell_line(each.words) + "\n";
  }
  if (total(agenda) > Nanos::zero())
    out += "\n" + say(EvaluateMsg::agenda_total, format_duration(total(agenda))) + "\n";
  if (plan.systems.size() > 1 && plan.pairs < 6) out += "\n" + say(EvaluateMsg::agenda_pairs, plan.pairs) + "\n";
  for (std::size_t i = 1; i < plan.systems.size(); ++i) {
    const evaluate::System &base = plan.systems[0], &other = plan.systems[i];
    if (!base.endpoint.empty() && base.endpoint == other.endpoint && base.model == other.model)
      out += "\n" + say(EvaluateMsg::agenda_same_url, base.name, other.name) + "\n";
  }
  std::string needs;
  for (const evaluate::System& each : plan.systems) {
    if (!each.endpoint.empty()) needs += "  - " + say(EvaluateMsg::needs_endpoint, each.name, each.endpoint) + "\n";
    if (each.launch.any())
      needs += "  - " +
               say(each.is_alone ? EvaluateMsg::needs_devices_alone : EvaluateMsg::needs_devices, each.name,
                   evaluate::shell_line(evaluate::launch_words(each.launch))) +
               "\n";
  }
  if (!plan.correctness.tasks.empty()) needs += "  - " + say(EvaluateMsg::needs_file, plan.correctness.tasks) + "\n";
  for (const evaluate::Workload& each : plan.workloads) {
    if (!each.dataset.empty()) needs += "  - " + say(EvaluateMsg::needs_file, each.dataset) + "\n";
  }
  if (!needs.empty()) out += "\n" + say(EvaluateMsg::agenda_needs) + "\n" + needs;
  std::string lacking;
  for (const matrix::RowTemplate* each : without_source(plan, agenda))
    lacking +=
        text::wrapped("  - " + say(EvaluateMsg::lacking_row, each->title.said(), each->needs.said()), kLineWidth, 4);
  if (!lacking.empty()) out += "\n" + say(EvaluateMsg::agenda_lacking) + "\n" + lacking;
  return out;
}

json::object agenda_json(const evaluate::Plan& plan, const Agenda& agenda) {
  json::array steps, lacking, not_run;
  for (const Step& each : agenda.steps) {
    json::array words;
    for (const std::string& word : each.words) words.emplace_back(word);
    steps.push_back(
        json::object{{"step", each.id},
                     {"stage", evaluate::names_of_stages()[static_cast<std::size_t>(each.stage)]},
                     {"workload", each.workload},
                     {"candidate", each.candidate},
                     {"words", std::move(words)},
                     {"command", "scoville " + evaluate::shell_line(each.words)},
                     {"seconds_at_least", each.estimate ? json::value(to_seconds(*each.estimate)) : nullptr}});
  }
  for (const matrix::RowTemplate* each : without_source(plan, agenda)) lacking.emplace_back(each->id);
  for (const evaluate::NotRun& each : agenda.not_run)
    not_run.push_back(json::object{{"stage", evaluate::names_of_stages()[static_cast<std::size_t>(each.stage)]},
                                   {"candidate", each.candidate},
                                   {"why", evaluate::name_of(each.why)}});
  return {{"schema", "scoville.agenda/1"},
          {"evaluation", plan.name},
          {"steps", std::move(steps)},
          {"not_run", std::move(not_run)},
          {"required_without_source", std::move(lacking)},
          {"seconds_at_least", to_seconds(total(agenda))}};
}

}  // namespace scoville::report
