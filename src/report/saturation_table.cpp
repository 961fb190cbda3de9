#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "report/cells.hpp"
#include "report/saturation.hpp"
#include "text/catalogue.hpp"
#include "text/table.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using decide::Saturation;
using decide::SaturationRule;
using decide::SaturationStep;
using decide::SearchLimit;
using decide::SearchOutcome;
using decide::SloFigure;
using decide::StepDoubt;
using decide::StepVerdict;
using text::Msg;
using text::say;

std::string line(const std::string& sentence) { return text::wrapped(sentence, kLineWidth, 2); }
std::string share_text(double share) { return fmt::format("{:.2f} %", share * 100); }
std::string worth_text(double effective_n) { return fmt::format("{:.0f}", std::floor(effective_n)); }

/// Per device beside it, where their number is known.
std::string answer_text(const SaturationView& view, double load) {
  if (view.devices == 0) return load_text(view.rule, load);
  const double each = load / static_cast<double>(view.devices);
  return say(view.rule.is_open_loop ? Msg::saturate_rate_each : Msg::saturate_users_each, number(load), number(each));
}

std::string end_text(const SaturationRule& rule, std::optional<double> load) {
  return load ? load_text(rule, *load) : say(Msg::saturate_unknown_end);
}

std::string step_table(const SaturationView& view) {
  text::Table table({"#", say(Msg::saturate_column_load), say(Msg::saturate_column_purpose),
                     say(Msg::saturate_column_requests), say(Msg::saturate_column_worth),
                     say(Msg::saturate_column_within), say(Msg::saturate_column_bounds),
                     say(Msg::saturate_column_verdict)});
  table.flush_left(2);
  table.flush_left(7);
  for (std::size_t i = 0; i < view.result.steps.size(); ++i) {
    const SaturationStep& step = view.result.steps[i];
    const SloFigure& all = step.judgement.joint;
    table.add_row({std::to_string(i + 1), load_text(view.rule, step.ask.load), purpose_text(step.ask.purpose),
                   std::to_string(all.n), worth_text(all.effective_n), share_text(all.attainment),
                   fmt::format("{} … {}", share_text(all.at_least), share_text(all.at_most)), verdict_text(step)});
  }
  return table.render();
}

std::string slo_table(const SaturationView& view) {
  const SaturationStep& step = view.result.steps[*view.result.confirmed_by];
  text::Table table({say(Msg::saturate_column_slo), say(Msg::saturate_column_target), say(Msg::saturate_column_within),
                     say(Msg::saturate_column_at_least), say(Msg::saturate_column_worth)});
  const auto add = [&](const std::string& name, const std::string& target, const SloFigure& figure) {
    table.add_row(
        {name, target, share_text(figure.attainment), share_text(figure.at_least), worth_text(figure.effective_n)});
  };
  for (std::size_t i = 0; i < view.rule.slos.size(); ++i)
    add(view.rule.slos[i].text, share_text(view.rule.slos[i].share), step.judgement.slos[i]);
  if (view.rule.slos.size() > 1) add(say(Msg::saturate_all_limits), "", step.judgement.joint);
  return table.render();
}

std::string closing_of_value(const SaturationView& view) {
  const Saturation& result = view.result;
  const SloFigure& figure = result.steps[*result.confirmed_by].judgement.joint;
  std::string out =
      line(say(Msg::saturate_found, answer_text(view, *result.value), figure.n, worth_text(figure.effective_n)));
  if (result.limit == SearchLimit::client && result.client_limit)
    out += line(say(Msg::saturate_above_client, load_text(view.rule, *result.client_limit)));
  if (result.limit == SearchLimit::most) out += line(say(Msg::saturate_above_most));
  return out + line(result.high ? say(Msg::saturate_found_high, load_text(view.rule, *result.high))
                                : say(Msg::saturate_found_no_high));
}

/// The shortest way to an answer.
std::string resolve_text(const SaturationView& view) {
  const Saturation& result = view.result;
  if (result.steps.empty()) return "";
  const double load = result.steps.back().ask.load;
  switch (result.limit) {
    case SearchLimit::client:
      return line(say(Msg::saturate_resolve_client));
    case SearchLimit::drifts:
      return line(say(Msg::saturate_resolve_steady));
    case SearchLimit::confirmations:
      return line(say(Msg::saturate_resolve_again, load_text(view.rule, load), number(load)));
    case SearchLimit::too_few_requests: {
      if (!result.needed_requests || !result.needed_s) return "";
      const std::string step = fmt::format("{:.0f}s", std::ceil(*result.needed_s));
      return line(
          say(Msg::saturate_resolve_longer, load_text(view.rule, load), number(result.needed_requests), step, step));
    }
    case SearchLimit::none:
    case SearchLimit::most:
    case SearchLimit::stopped:
      break;
  }
  return "";
}

std::string closing(const SaturationView& view) {
  const Saturation& result = view.result;
  if (result.limit == SearchLimit::stopped)
    return line(say(Msg::saturate_stopped, result.steps.size(), end_text(view.rule, result.low_seen),
                    end_text(view.rule, result.high_seen)));
  switch (result.outcome) {
    case SearchOutcome::found:
    case SearchOutcome::at_least:
      return closing_of_value(view);
    case SearchOutcome::none:
      return line(say(Msg::saturate_none, load_text(view.rule, result.steps.back().ask.load)));
    case SearchOutcome::cannot_tell:
      break;
  }
  return line(say(Msg::saturate_cannot_tell)) + resolve_text(view);
}

}  // namespace

std::string load_text(const SaturationRule& rule, double load) {
  return say(rule.is_open_loop ? Msg::saturate_rate : Msg::saturate_users, number(load));
}

std::string purpose_text(decide::Purpose purpose) {
  switch (purpose) {
    case decide::Purpose::bracket:
      return say(Msg::saturate_purpose_bracket);
    case decide::Purpose::bisect:
      return say(Msg::saturate_purpose_bisect);
    case decide::Purpose::confirm:
      break;
  }
  return say(Msg::saturate_purpose_confirm);
}

std::string verdict_text(const SaturationStep& step) {
  switch (step.judgement.verdict) {
    case StepVerdict::holds:
      return say(Msg::saturate_verdict_pass);
    case StepVerdict::fails:
      return say(step.judgement.doubt == StepDoubt::queue_grows ? Msg::saturate_verdict_grows
                                                                : Msg::saturate_verdict_fail);
    case StepVerdict::client_limited:
      return say(Msg::saturate_verdict_client);
    case StepVerdict::undecided:
      break;
  }
  if (step.judgement.doubt == StepDoubt::drifts) return say(Msg::saturate_verdict_drifts);
  return say(step.ask.purpose == decide::Purpose::bracket ? Msg::saturate_verdict_screened
                                                          : Msg::saturate_verdict_undecided);
}

std::string saturation_table(const SaturationView& view) {
  std::vector<std::string> slos;
  for (const plan::Slo& each : view.rule.slos) slos.push_back(each.text);
  std::string out = line(say(Msg::saturate_head, view.url, fmt::format("{}", fmt::join(slos, ", ")))) + "\n";
  out += step_table(view) + "\n";
  if (view.result.confirmed_by) out += slo_table(view) + "\n";
  return out + closing(view);
}

}  // namespace scoville::report
