#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/cells.hpp"
#include "report/comparison.hpp"
#include "report/comparison_words.hpp"
#include "report/history.hpp"
#include "text/table.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using decide::Change;
using decide::History;
using decide::HistoryPoint;
using text::Msg;
using text::say;

constexpr std::size_t kFewestForStep = 11;  // with fewer runs Pettitt's p cannot come below 0.05

std::string line(const std::string& sentence, std::size_t indent = 2) {
  return text::wrapped(sentence, kLineWidth, indent);
}
std::string signed_percent(double share) { return fmt::format("{:+.1f} %", share * 100 + 0.0); }
std::string joined(const std::vector<std::string>& list) { return fmt::format("{}", fmt::join(list, ", ")); }

std::string shown(const History& history, std::optional<double> value) {
  if (!value) return kNone;
  if (history.metric->unit == "ns") return span(Nanos(std::llround(*value)));
  return number(value);
}

std::string figure_cell(const History& history, const analyse::SetFigure& figure) {
  std::string out = shown(history, figure.median) + (figure.median && !figure.is_supported ? "*" : "");
  if (figure.low && figure.high)
    out += fmt::format(" [{}, {}]", shown(history, figure.low), shown(history, figure.high));
  return out;
}

/// "engine (engine.version 0.9.1 → engine.version 0.10.0)".
std::string with_values(const std::vector<Change>& changes) {
  constexpr std::size_t kMost = 36;
  const auto value = [](const std::string& text) { return text.empty() ? kNone : text::shorten(text, kMost); };
  std::vector<std::string> out;
  for (const Change& each : changes) {
    out.push_back(each.before.empty() && each.after.empty()
                      ? each.key
                      : fmt::format("{} ({} → {})", each.key, value(each.before), value(each.after)));
  }
  return joined(out);
}

/// The middle of the points used.
std::optional<double> median_of(const History& history) {
  std::vector<std::optional<double>> medians;
  for (const HistoryPoint& each : history.points) {
    if (each.is_used() && each.figure.median) medians.push_back(each.figure.median);
  }
  return analyse::over_runs(std::move(medians)).median;
}

bool starts_step(const History& history, std::size_t point) {
  return std::any_of(history.steps.begin(), history.steps.end(), [&](const auto& each) { return each.after == point; });
}

std::string marks_of(const History& history, std::size_t i) {
  const HistoryPoint& point = history.points[i];
  std::vector<std::string> out;
  if (!point.is_used()) out.push_back(say(Msg::history_mark_unused));
  if (!point.changes.empty()) out.push_back(say(Msg::history_mark_changed));
  if (starts_step(history, i)) out.push_back("▲ " + say(Msg::history_mark_step));
  return joined(out);
}

std::string point_table(const History& history) {
  text::Table table({"#", say(Msg::history_column_when), say(Msg::history_column_runs), title_of(*history.metric),
                     say(Msg::history_column_to_median), title_of(*decide::find_metric("output_tokens_per_s")),
                     "TTFT P50", say(Msg::history_column_marks)});
  table.flush_left(7);
  const std::optional<double> middle = median_of(history);
  for (std::size_t i = 0; i < history.points.size(); ++i) {
    const HistoryPoint& point = history.points[i];
    const bool has_ratio = middle && *middle != 0 && point.figure.median && point.is_used();
    const std::optional<double>& ttft = point.ttft.median;
    table.add_row({std::to_string(i + 1), utc(point.arm.runs.front().started), std::to_string(point.arm.runs.size()),
                   figure_cell(history, point.figure),
                   has_ratio ? signed_percent(*point.figure.median / *middle - 1) : std::string(kNone),
                   number(point.output_tokens_per_s.median), ttft ? span(Nanos(std::llround(*ttft))) : kNone,
                   marks_of(history, i)});
  }
  return table.render();
}

/// One column a point, in the middle what is within half a margin of the median.
std::string sparkline(const History& history) {
  constexpr std::array<const char*, 7> kHeights{"▁", "▂", "▃", "▄", "▅", "▆", "▇"};
  const std::optional<double> middle = median_of(history);
  if (!middle || *middle <= 0) return "";
  std::string out;
  for (const HistoryPoint& point : history.points) {
    const bool is_drawn = point.is_used() && point.figure.median && *point.figure.median > 0;
    if (!is_drawn) {
      out += "·";
      continue;
    }
    const double steps = std::log(*point.figure.median / *middle) / std::log1p(history.margin);
    out += kHeights[static_cast<std::size_t>(std::clamp(std::lround(steps), -3L, 3L) + 3)];
  }
  return out;
}

std::string change_lines(const History& history) {
  std::string out;
  for (std::size_t i = 0; i < history.points.size(); ++i) {
    const HistoryPoint& point = history.points[i];
    if (!point.changes.empty()) out += line(say(Msg::history_change, i + 1, with_values(point.changes)));
    if (!point.is_used() && i + 1 < history.points.size())
      out += line(say(Msg::history_unused, i + 1, with_values(point.refused)));
  }
  return out;
}

std::string step_lines(const History& history) {
  if (history.steps.empty()) {
    return line(history.used_runs < kFewestForStep
                    ? say(Msg::history_no_step_few, history.used_runs)
                    : say(Msg::history_no_step, percent(history.margin), history.used_runs));
  }
  std::string out;
  for (const decide::Step& each : history.steps) {
    std::vector<Change> changes;  // also of points between the two that are not used
    for (std::size_t i = each.before + 1; i <= each.after; ++i)
      changes.insert(changes.end(), history.points[i].changes.begin(), history.points[i].changes.end());
    out += line(say(Msg::history_step, each.before + 1, each.after + 1, title_of(*history.metric),
                    signed_percent(each.change), say(each.is_worse ? Msg::history_worse : Msg::history_better),
                    fmt::format("{:.2g}", each.p),
                    changes.empty() ? say(Msg::history_nothing_changed) : with_values(changes)));
  }
  return out;
}

std::string closing(const History& history) {
  if (history.outcome == decide::Outcome::alone) return line(say(Msg::history_closing_alone), 0);
  const decide::MetricComparison* const metric = history.compared();
  if (history.outcome == decide::Outcome::refused || !metric) {
    std::vector<Change> why = history.points.back().refused;
    if (history.newest) {
      for (const std::string& key : history.newest->gate.refused) why.push_back({key, "", ""});
    }
    return line(say(Msg::history_closing_refused, with_values(why)), 0);
  }
  const std::string title = title_of(*history.metric), verdict = name_of_verdict(*metric);
  const std::size_t newest = history.newest->candidate_runs, before = history.newest->base_runs;
  if (metric->verdict == stats::Verdict::inconclusive)
    return line(say(Msg::history_closing_unknown, title, newest, before, verdict), 0);
  const auto ratio = [](double value) { return fmt::format("{:#.4g}", value); };
  return line(
      say(Msg::history_closing, title, newest, before, verdict, ratio(metric->ratio->value),
          ratio(metric->ratio->interval->lower), ratio(metric->ratio->interval->upper), percent(metric->margin)),
      0);
}

}  // namespace

std::string history_table(const HistoryView& view) {
  const History& history = view.history;
  std::size_t runs = 0;
  for (const HistoryPoint& each : history.points) runs += each.arm.runs.size();
  const std::string title = title_of(*history.metric);
  std::string out = say(Msg::history_head, view.tag, history.points.size(), runs, title) + "\n\n";
  out += point_table(history) + "\n";
  if (const std::string drawn = sparkline(history); !drawn.empty())
    out += line(say(Msg::history_sparkline, title, drawn, percent(history.margin)));
  out += change_lines(history) + step_lines(history);
  for (const dataset::Warning& each : view.warnings) out += line("! " + each.sentence.said());
  const decide::MetricComparison* const metric = history.compared();
  if (metric && metric->resolve) {
    const std::string minutes = metric->resolve->minutes ? fmt::format("{:.2g}", *metric->resolve->minutes) : kNone;
    out += line(say(Msg::compare_resolve, title, metric->resolve->runs, minutes));
  }
  return out + "\n" + closing(history);
}

}  // namespace scoville::report
