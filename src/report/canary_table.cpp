#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/duration.hpp"
#include "report/canary.hpp"
#include "report/cells.hpp"
#include "text/catalogue/canary.hpp"
#include "text/table.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using decide::Canary;
using decide::CanaryReason;
using decide::CanaryTest;
using decide::CanaryVerdict;
using decide::TestState;
using text::CanaryMsg;
using text::say;

std::string line(const std::string& sentence, std::size_t indent = 2) {
  return text::wrapped(sentence, kLineWidth, indent);
}

std::string percent(double share) { return fmt::format("{:.4g} %", share * 100); }

/// "25 h"; a shorter one as everywhere.
std::string duration(Nanos span) {
  const double hours = to_seconds(span) / 3600;
  return hours < 1 ? format_duration(span) : fmt::format("{:.3g} h", hours);
}

/// "TTFT": how the field spells it.
std::string title(decide::FleetLatency latency) {
  switch (latency) {
    case decide::FleetLatency::ttft:
      return "TTFT";
    case decide::FleetLatency::tpot:
      return "TPOT";
    case decide::FleetLatency::e2e:
      return "E2E";
  }
  return "";
}

std::string row_name(const CanaryTest& test) {
  if (!test.limit) return say(CanaryMsg::row_errors);
  return say(CanaryMsg::row_misses, title(test.limit->latency), format_duration(test.limit->limit));
}

std::string tests_in(const Canary& canary, TestState state) {
  std::vector<std::string> out;
  for (const CanaryTest& each : canary.tests) {
    if (each.state == state) out.push_back(row_name(each));
  }
  return fmt::format("{}", fmt::join(out, ", "));
}

std::string breach_line(const decide::Breach& breach) {
  return say(breach.is_shared ? CanaryMsg::breach_shared : CanaryMsg::breach, title(breach.limit.latency),
             format_duration(breach.limit.limit), duration(breach.until - breach.from));
}

std::string breaches_in(const Canary& canary) {
  std::vector<std::string> out;
  for (const decide::Breach& each : canary.breaches) {
    if (!each.is_shared) out.push_back(breach_line(each));
  }
  return fmt::format("{}", fmt::join(out, ", "));
}

std::string reason_of(const Canary& canary) {
  switch (canary.reason) {
    case CanaryReason::not_inferior:
      return say(canary.plan.slos.empty() ? CanaryMsg::reason_errors_not_inferior : CanaryMsg::reason_not_inferior);
    case CanaryReason::accuracy_alarm:
      return say(CanaryMsg::reason_accuracy_alarm);
    case CanaryReason::worse:
      return say(CanaryMsg::reason_worse, tests_in(canary, TestState::worse));
    case CanaryReason::p99_breach:
      return say(CanaryMsg::reason_p99_breach, breaches_in(canary));
    case CanaryReason::not_enough:
      if (canary.more_requests) return say(CanaryMsg::reason_more, *canary.more_requests);
      return say(CanaryMsg::reason_not_enough);
    case CanaryReason::too_short:
      return say(CanaryMsg::reason_too_short, duration(canary.seen), duration(canary.plan.at_least));
    case CanaryReason::unknown:
      return say(CanaryMsg::reason_unknown, tests_in(canary, TestState::unknown));
    case CanaryReason::spent:
      return say(CanaryMsg::reason_spent);
  }
  return "";
}

CanaryMsg verdict_of(CanaryVerdict verdict) {
  switch (verdict) {
    case CanaryVerdict::go_on:
      return CanaryMsg::verdict_go_on;
    case CanaryVerdict::roll_back:
      return CanaryMsg::verdict_roll_back;
    case CanaryVerdict::keep_watching:
      break;
  }
  return CanaryMsg::verdict_keep_watching;
}

CanaryMsg state_of(TestState state) {
  switch (state) {
    case TestState::open:
      return CanaryMsg::state_open;
    case TestState::not_inferior:
      return CanaryMsg::state_not_inferior;
    case TestState::worse:
      return CanaryMsg::state_worse;
    case TestState::unknown:
      break;
  }
  return CanaryMsg::state_unknown;
}

std::string share_cell(const stats::Share& share, double high) {
  if (!(share.trials > 0)) return kNone;
  const std::string low = percent(share.rate());
  const std::string shown = high == share.events ? low : low + "–" + percent(high / share.trials);
  return fmt::format("{} ({:.0f}/{:.0f})", shown, share.events, share.trials);
}

std::string test_table(const Canary& canary) {
  text::Table table({say(CanaryMsg::column_test), say(CanaryMsg::column_base), say(CanaryMsg::column_candidate),
                     say(CanaryMsg::column_margin), say(CanaryMsg::column_look), say(CanaryMsg::column_p),
                     say(CanaryMsg::column_state)});
  table.flush_left(6);
  for (const CanaryTest& each : canary.tests) {
    const bool is_known = each.state != TestState::unknown;
    const auto& look = each.look;  // its p is of its counts; before any there are those of the last scrape
    const std::string base = look ? share_cell(look->base, look->base_high) : share_cell(each.base, each.base_high);
    const std::string candidate =
        look ? share_cell(look->candidate, look->candidate_high) : share_cell(each.candidate, each.candidate_high);
    table.add_row({row_name(each), is_known ? base : kNone, is_known ? candidate : kNone, percent(each.margin),
                   look ? fmt::format("{}/{}", look->number, canary.plan.looks) : kNone,
                   look && look->noninferior_p ? fmt::format("{:.2g}", *look->noninferior_p) : kNone,
                   say(state_of(each.state))});
  }
  return table.render();
}

}  // namespace

std::string canary_table(const CanaryView& view) {
  const Canary& canary = view.canary;
  std::string out = line(say(CanaryMsg::verdict_line, say(verdict_of(canary.verdict)), reason_of(canary)), 0);
  if (canary.next_step)
    out += line("  " + say(CanaryMsg::next_step, *canary.next_step));
  else if (canary.verdict == CanaryVerdict::go_on)
    out += line("  " + say(CanaryMsg::last_step));
  out += "\n" + line(say(CanaryMsg::head, view.candidate, view.engine, duration(canary.seen),
                         fmt::format("{:.0f}", canary.requests)),
                     0);
  out += line(canary.plan.test == decide::SequentialTest::looks
                  ? say(CanaryMsg::head_looks, canary.looks_made, canary.plan.looks, planned_requests(canary.plan))
                  : say(CanaryMsg::head_sprt),
              0);
  out += "\n" + test_table(canary);
  if (canary.plan.slos.empty()) out += line(say(CanaryMsg::no_slo));
  for (const CanaryTest& each : canary.tests) {
    if (each.state != TestState::unknown && !each.is_exact()) out += line(say(CanaryMsg::inexact, row_name(each)));
  }
  for (const decide::Breach& each : canary.breaches) out += line(breach_line(each));
  return out;
}

}  // namespace scoville::report
