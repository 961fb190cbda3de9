#include "cli/evaluation_cost.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/cost_perf.hpp"
#include "report/cost.hpp"
#include "report/cost_words.hpp"
#include "text/catalogue/evaluate.hpp"

namespace scoville::cli {
namespace {

using cost::Outcome;
using evaluate::CostPart;
using text::EvaluateMsg;
using text::phrase;
using text::Phrase;

/// A sentence of the cost report, in both languages.
template <class Sentence>
Phrase in_both(const Sentence& sentence) {
  const text::Language now = text::language();
  Phrase out;
  text::set_language(text::Language::english);
  out.english = sentence();
  text::set_language(text::Language::chinese);
  out.chinese = sentence();
  text::set_language(now);
  return out;
}

const evaluate::Workload* priced_workload(const evaluate::Plan& plan) {
  if (!plan.cost_workload.empty()) return plan.find_workload(plan.cost_workload);
  for (const evaluate::Workload& each : plan.workloads) {
    if (!each.slos.empty()) return &each;
  }
  return plan.workloads.empty() ? nullptr : &plan.workloads.front();
}

/// The limits that the runs were measured with, in the words of --goodput.
std::string point_of(const evaluate::Workload& workload) {
  std::string out;
  for (const plan::Slo& each : workload.slos) {
    const std::string_view name = each.metric == plan::SloMetric::e2e ? "e2el" : plan::name_of(each.metric);
    out += fmt::format("{}{}:{}ms", out.empty() ? "" : " ", name, to_millis(each.limit));
  }
  return out.empty() ? "any" : out;
}

void link_measured(const evaluate::Plan& plan, const evaluate::Agenda& agenda, cost::Study& study) {
  const evaluate::Workload* const workload = priced_workload(plan);
  if (!workload) return;
  for (cost::Option& option : study.options) {
    const auto system = std::find_if(plan.systems.begin(), plan.systems.end(),
                                     [&](const evaluate::System& each) { return each.name == option.name; });
    const bool states_its_own = option.perf.link || option.perf.out_per_s.value > 0 || option.perf.served_out;
    if (system == plan.systems.end() || states_its_own || option.kind == cost::Kind::api) continue;
    const auto place = static_cast<std::size_t>(system - plan.systems.begin());
    const std::string runs = evaluate::runs_of(plan, agenda, *workload, place);
    if (runs.empty()) continue;
    option.perf.link = cost::PerfLink{runs, point_of(*workload)};
    if (!option.perf.devices && system->devices > 0) option.perf.devices = system->devices;
  }
}

CostPart::PerSystem per_system(const cost::OptionOutcome& option) {
  CostPart::PerSystem out;
  out.system = option.name;
  out.per_mtok_out = option.unit.out;
  out.per_year = option.annual.total();
  out.is_list_price = option.kind == cost::Kind::api;
  if (option.out_interval) {
    out.low = option.out_interval->lower;
    out.high = option.out_interval->upper;
  }
  return out;
}

/// "one-thread: licence_acc_year from 0 to 4,500: …": whose, unless it is everybody's.
Phrase bar_words(const cost::Bar& bar, const Outcome& outcome, EvaluateMsg key) {
  std::string name = cost::path_of(cost::input_of(bar.lever.id));
  if (!bar.lever.is_shared && bar.lever.options.size() == 1)
    name = outcome.options[bar.lever.options.front()].name + ": " + name;
  // Of a throughput the ends are factors of what was measured.
  const std::string by = bar.lever.id == cost::In::perf_scale ? "× " : "";
  return in_both([&] {
    return text::say(key, name, by + report::plain(bar.lever.low), by + report::plain(bar.lever.high),
                     cost::money_text(bar.at_low, outcome.currency), cost::money_text(bar.at_high, outcome.currency));
  });
}

/// Of the saving where there is a pair, else of the first option's unit cost.
std::vector<Phrase> sensitivities(const Outcome& outcome) {
  std::vector<Phrase> out;
  const bool has_pair = !outcome.pairs.empty();
  for (const cost::Bar& each : has_pair ? outcome.pairs.front().bars : outcome.options.front().bars) {
    if (out.size() < 3)
      out.push_back(
          bar_words(each, outcome, has_pair ? EvaluateMsg::sensitivity_saving : EvaluateMsg::sensitivity_cost));
  }
  return out;
}

/// Lines and indents of a terminal are none of a page.
std::string in_one_line(std::string words) {
  std::string out;
  for (const char c : words) {
    const bool is_blank = c == '\n' || c == ' ';
    if (!is_blank || (!out.empty() && out.back() != ' ')) out += is_blank ? ' ' : c;
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

CostPart incomplete(Phrase why) {
  CostPart out;
  out.state = CostPart::State::incomplete;
  out.why = std::move(why);
  return out;
}

std::string missing_words(const Outcome& outcome) {
  std::string out;
  for (const cost::Missing& each : outcome.missing)
    out += (out.empty() ? "" : ", ") + (each.option.empty() ? each.path : each.option + "." + each.path);
  return out;
}

}  // namespace

CostPart price_evaluation(store::RunStore& store, const evaluate::Plan& plan, const evaluate::Agenda& agenda,
                          cost::Study study) {
  link_measured(plan, agenda, study);
  if (const cost::Study before = study; !link_perf(store, study))
    return incomplete(in_both([&] {
      cost::Study again = before;
      const Status linked = link_perf(store, again);
      return linked ? std::string() : linked.error().message;
    }));
  const Result<Outcome> outcome = cost::work_out(study);
  if (!outcome) return incomplete({outcome.error().message, outcome.error().message});
  if (!outcome->is_complete()) return incomplete(phrase(EvaluateMsg::cost_missing, missing_words(*outcome)));
  CostPart out;
  out.state = CostPart::State::done;
  out.object = report::cost_json(*outcome);
  out.currency = outcome->currency;
  for (const cost::OptionOutcome& each : outcome->options) {
    out.systems.push_back(per_system(each));
    if (each.used == cost::Method::blended) out.is_blended = true;
    if (each.used) out.method = phrase(report::method_word(*each.used));
  }
  if (!outcome->pairs.empty())
    out.break_even = in_both([&] { return in_one_line(report::pair_words(outcome->pairs.front(), *outcome)); });
  out.sensitivities = sensitivities(*outcome);
  return out;
}

}  // namespace scoville::cli
