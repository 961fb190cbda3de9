#include "report/beside.hpp"

#include <fmt/format.h>

#include "base/duration.hpp"
#include "report/cells.hpp"
#include "report/metric_json.hpp"
#include "text/catalogue.hpp"
#include "text/table.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using analyse::Analysis;
using text::Msg;
using text::say;

std::string probe_line(const analyse::Probe& probe) {
  return say(Msg::probe_line, fmt::format("{:.6g}", probe.rate_per_s), probe.succeeded, probe.attempted,
             cell(probe.ttft.at(0.5)), cell(probe.ttft.at(0.99)), cell(probe.e2e.at(0.5)), cell(probe.e2e.at(0.99)),
             span(probe.e2e.largest, probe.e2e.largest_at_least));
}

json::value conversations_json(const std::optional<analyse::Conversations>& conversations) {
  if (!conversations) return nullptr;
  json::array turns;
  for (const analyse::TurnBucket& each : conversations->turns) {
    turns.push_back(json::object{{"turns", {{"from", each.from}, {"to", each.to}}},
                                 {"n", each.n},
                                 {"prompt_tokens_mean", number_or_null(each.mean_prompt_tokens)},
                                 {"cached_share", number_or_null(each.cached_share)},
                                 {"ttft", metric_json(each.ttft)},
                                 {"tpot", metric_json(each.tpot)}});
  }
  return json::object{{"begun", conversations->begun},
                      {"requests", conversations->requests},
                      {"most_turns", conversations->most_turns},
                      {"turns_not_sent", conversations->not_sent},
                      {"by_turn", std::move(turns)}};
}

json::value lateness_json(const std::optional<analyse::Lateness>& late) {
  if (!late) return nullptr;
  return json::object{{"n", late->n},
                      {"p50_ns", late->p50.count()},
                      {"p99_ns", late->p99.count()},
                      {"max_ns", late->largest.count()},
                      {"last_ns", late->of_last.count()},
                      {"held_by_cap", late->held}};
}

json::value cancelled_json(const std::optional<analyse::Cancelled>& cancelled) {
  if (!cancelled) return nullptr;
  return json::object{{"after_s", to_seconds(cancelled->after)},
                      {"chosen", cancelled->chosen},
                      {"given_up", cancelled->given_up},
                      {"ended_first", cancelled->ended_first},
                      {"failed", cancelled->failed}};
}

json::value probe_json(const std::optional<analyse::Probe>& probe) {
  if (!probe) return nullptr;
  return json::object{{"rate_per_s", probe->rate_per_s},  {"attempted", probe->attempted},
                      {"succeeded", probe->succeeded},    {"ttft", metric_json(probe->ttft)},
                      {"tpot", metric_json(probe->tpot)}, {"e2e", metric_json(probe->e2e)}};
}

}  // namespace

std::string beside_lines(const Analysis& analysis) {
  std::string out;
  if (const auto& late = analysis.lateness) {
    out += text::wrapped(say(Msg::lateness_line, format_duration(late->p50), format_duration(late->p99),
                             format_duration(late->largest), format_duration(late->of_last), late->held, late->n),
                         kLineWidth, 2);
  }
  if (const auto& talks = analysis.conversations)
    out += say(Msg::conversations_line, talks->begun, talks->requests, talks->most_turns, talks->not_sent) + "\n";
  if (const auto& given_up = analysis.cancelled) {
    out += text::wrapped(say(Msg::cancelled_line, format_duration(given_up->after), given_up->chosen,
                             given_up->given_up, given_up->ended_first),
                         kLineWidth, 2);
  }
  if (analysis.probe) out += text::wrapped(probe_line(*analysis.probe), kLineWidth, 2);
  return out;
}

std::string turn_table(const Analysis& analysis) {
  if (!analysis.conversations) return "";
  text::Table table({say(Msg::column_turn), "n", say(Msg::column_turn_prompt), say(Msg::column_turn_cached), "TTFT P50",
                     "TTFT P95", "TPOT P50"});
  for (const analyse::TurnBucket& each : analysis.conversations->turns) {
    const std::string turns =
        each.from == each.to ? fmt::format("{}", each.from) : fmt::format("{}–{}", each.from, each.to);
    const std::string cached = each.cached_share ? fmt::format("{:.3g} %", *each.cached_share * 100) : kNone;
    table.add_row({turns, fmt::format("{}", each.n), number(each.mean_prompt_tokens), cached, cell(each.ttft.at(0.5)),
                   cell(each.ttft.at(0.95)), cell(each.tpot.at(0.5))});
  }
  return say(Msg::turns_head) + "\n" + table.render();
}

void put_beside(const Analysis& analysis, json::object& out) {
  out["lateness"] = lateness_json(analysis.lateness);
  out["conversations"] = conversations_json(analysis.conversations);
  out["cancelled"] = cancelled_json(analysis.cancelled);
  out["probe"] = probe_json(analysis.probe);
}

}  // namespace scoville::report
