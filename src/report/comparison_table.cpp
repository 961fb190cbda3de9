#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/duration.hpp"
#include "report/cells.hpp"
#include "report/comparison.hpp"
#include "report/comparison_words.hpp"
#include "stats/noise_floor.hpp"
#include "stats/verdict.hpp"
#include "text/table.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using decide::Comparison;
using decide::GateResult;
using decide::MetricComparison;
using decide::NoVerdict;
using stats::Verdict;
using text::Msg;
using text::say;

std::string line(const std::string& sentence, std::size_t indent = 0) {
  return text::wrapped(sentence, kLineWidth, indent);
}

/// One unit for a whole row: ns, µs, ms or s by the base's size; rates as they are.
struct Scale {
  double divisor = 1;
  const char* unit = "";

  /// Four digits that count, zeros among them: columns of one precision.
  std::string show(std::optional<double> value) const {
    if (!value) return kNone;
    const double scaled = *value / divisor;
    return std::fabs(scaled) >= 1000 ? fmt::format("{:.0f}", scaled) : fmt::format("{:#.4g}", scaled);
  }
};

Scale scale_of(const MetricComparison& metric) {
  if (metric.metric->unit != "ns") return {};
  const double size = metric.base.median.value_or(metric.candidate.median.value_or(1e6));
  if (size < 1e3) return {1, "ns"};
  if (size < 1e6) return {1e3, "µs"};
  return size < 1e9 ? Scale{1e6, "ms"} : Scale{1e9, "s"};
}

std::string cell_of(const analyse::SetFigure& figure, const Scale& scale) {
  if (!figure.median) return kNone;
  std::string out = scale.show(figure.median) + (figure.is_supported ? "" : "*");
  if (figure.low && figure.high) out += fmt::format(" [{}, {}]", scale.show(figure.low), scale.show(figure.high));
  return out;
}

std::string p_of(const MetricComparison& metric) {
  const std::optional<double> p = metric.p_adjusted ? metric.p_adjusted : metric.p;
  if (!p) return kNone;
  return *p < 0.0001 ? "<0.0001" : fmt::format("{:.2g}", *p);
}

/// With a column for the margin where not all metrics have the same.
std::vector<std::string> row_of(const MetricComparison& metric, bool has_margin) {
  const Scale scale = scale_of(metric);
  std::string name = title_of(*metric.metric);
  if (*scale.unit) name += fmt::format(", {}", scale.unit);
  if (metric.is_primary) name = "▶ " + name;
  std::string interval = kNone;
  if (metric.ratio && metric.ratio->interval)
    interval = fmt::format("{} … {}", ratio_of(metric.ratio->interval->lower), ratio_of(metric.ratio->interval->upper));
  std::vector<std::string> row{std::move(name),
                               cell_of(metric.base, scale),
                               cell_of(metric.candidate, scale),
                               metric.ratio ? ratio_of(metric.ratio->value) : std::string(kNone),
                               std::move(interval),
                               p_of(metric)};
  if (has_margin) row.push_back(percent(metric.margin));
  row.push_back(name_of_verdict(metric));
  return row;
}

bool margins_differ(const Comparison& all) {
  return std::any_of(all.metrics.begin(), all.metrics.end(),
                     [&](const MetricComparison& each) { return each.margin != all.metrics.front().margin; });
}

bool lacks_requests(const MetricComparison& metric) {
  return !metric.is_primary && metric.reason == NoVerdict::unsupported;
}

/// No reasoning came before the answer: the row would repeat the one above.
bool repeats(const MetricComparison& metric, const Comparison& all) {
  if (metric.is_primary || !metric.metric->key.starts_with("ttfa")) return false;
  const MetricComparison* const first = all.find("ttft" + std::string(metric.metric->key.substr(4)));
  return first && first->base.values == metric.base.values && first->candidate.values == metric.candidate.values;
}

std::string metric_table(const Comparison& all, bool only_primary) {
  const bool has_margin = margins_differ(all);
  std::vector<std::string> header{
      say(Msg::compare_column_metric),   all.base, all.candidate, say(Msg::compare_column_ratio),
      say(Msg::compare_column_interval), "p"};
  if (has_margin) header.push_back(say(Msg::compare_column_margin));
  header.push_back(say(Msg::compare_column_verdict));
  const std::size_t last = header.size() - 1;
  text::Table table(std::move(header));
  table.flush_left(last);
  bool was_primary = true;
  for (const MetricComparison& each : all.metrics) {
    if ((only_primary && !each.is_primary) || repeats(each, all) || lacks_requests(each)) continue;
    if (was_primary && !each.is_primary) table.add_rule();
    was_primary = each.is_primary;
    table.add_row(row_of(each, has_margin));
  }
  return table.render();
}

std::string head(const Comparison& all) {
  if (all.design == decide::Design::paired)
    return say(Msg::compare_head_paired, all.base, all.candidate, std::min(all.base_runs, all.candidate_runs));
  return say(Msg::compare_head, all.base, all.base_runs, all.candidate, all.candidate_runs);
}

std::string resolve_line(const MetricComparison& metric, decide::Design design) {
  const Msg key = design == decide::Design::paired ? Msg::compare_resolve_pairs : Msg::compare_resolve;
  const std::optional<double> minutes = metric.resolve->minutes;
  const std::string time = minutes ? format_duration(Nanos(std::llround(*minutes * 60e9))) : kNone;
  return say(key, title_of(*metric.metric), metric.resolve->runs, time);
}

std::string primary_lines(const Comparison& all) {
  std::string out;
  for (const MetricComparison& each : all.metrics) {
    if (!each.is_primary) continue;
    if (each.mde && each.verdict == Verdict::inconclusive)
      out += line(say(Msg::compare_sees, title_of(*each.metric), percent(*each.mde)));
    if (each.resolve) out += line(resolve_line(each, all.design));
    if (each.permutation_p && each.cliffs_delta && each.median_ratio && each.reason != NoVerdict::too_few_runs) {
      out += line(say(Msg::compare_besides, title_of(*each.metric), ratio_of(*each.median_ratio),
                      fmt::format("{:.3g}", *each.cliffs_delta), fmt::format("{:.2g}", *each.permutation_p)));
    }
  }
  return out;
}

std::string closing_lines(const Comparison& all) {
  if (all.gate.result == GateResult::refuse) return line(say(Msg::compare_closing_refused, all.candidate, all.base));
  std::string out;
  for (const MetricComparison& each : all.metrics) {
    if (each.is_primary) out += line(closing(all, each));
  }
  return out;
}

std::string ranking_table(const decide::Ranking& ranking) {
  const decide::Metric& metric = *decide::find_metric(ranking.metric);
  text::Table table(
      {say(Msg::compare_column_rank), say(Msg::compare_column_arm), title_of(metric), say(Msg::compare_column_tied)});
  table.flush_left(1);
  table.flush_left(3);
  for (const decide::Ranked& each : ranking.arms) {
    const bool is_time = metric.unit == "ns" && each.median;
    table.add_row({std::to_string(each.rank), each.name,
                   is_time ? span(Nanos(std::llround(*each.median))) : number(each.median), joined(each.tied)});
  }
  return say(Msg::compare_rank_head, title_of(metric)) + "\n\n" + table.render();
}

std::string legend(const CompareView& view, const Comparison& all) {
  std::string out = line(view.family == 1 ? say(Msg::compare_legend_one, all.candidate)
                                          : say(Msg::compare_legend, all.candidate, view.family));
  const MetricComparison& first = all.metrics.front();
  const auto level = [](double share) { return fmt::format("{:.4g} %", share * 100); };
  if (first.base.level && first.ratio && first.ratio->interval)
    out += line(say(Msg::compare_legend_levels, level(*first.base.level), level(first.ratio->interval->coverage)));
  const bool has_floor = std::any_of(all.metrics.begin(), all.metrics.end(),
                                     [](const MetricComparison& each) { return each.floor.has_value(); });
  const Msg margin = view.has_margin ? Msg::compare_legend_margin_said
                     : has_floor     ? Msg::compare_legend_margin_floor
                                     : Msg::compare_legend_margin;
  const double least = all.is_one_machine ? stats::kLeastMargin : stats::kLeastMarginBetweenMachines;
  return out + line(say(margin, percent(view.has_margin ? first.margin : least)));
}

std::string one_comparison(const CompareView& view, const Comparison& all, bool only_primary) {
  std::string out = head(all) + "\n" + gate_lines(all) + "\n";
  if (all.gate.result == GateResult::refuse) return out;
  out += metric_table(all, only_primary) + "\n";
  out += legend(view, all);
  if (!only_primary) out += line(say(Msg::compare_legend_rest));
  std::vector<std::string> left_out;
  for (const MetricComparison& each : all.metrics) {
    if (lacks_requests(each)) left_out.push_back(title_of(*each.metric));
  }
  if (!only_primary && !left_out.empty()) out += line(say(Msg::compare_legend_left_out, joined(left_out)));
  return out + primary_lines(all) + "\n";
}

}  // namespace

std::string comparison_table(const CompareView& view) {
  const bool is_one = view.comparisons.size() == 1;
  std::string out;
  for (const Comparison& each : view.comparisons) out += one_comparison(view, each, !is_one);
  if (view.ranking) out += ranking_table(*view.ranking) + "\n";
  for (const dataset::Warning& each : view.warnings) out += line("! " + each.sentence.said(), 2);
  if (!view.warnings.empty()) out += "\n";
  for (const Comparison& each : view.comparisons) out += closing_lines(each);
  return out;
}

std::string noise_table(const std::string& name, const decide::NoiseFloor& floor, const decide::HarnessHealth& health) {
  std::string out = say(Msg::aa_head, name, floor.pairs) + "\n\n";
  if (floor.floors.empty())
    return out + line(say(Msg::aa_few, floor.pairs, 2 * (stats::kFewestSamePairs - floor.pairs)));
  text::Table table({say(Msg::compare_column_metric), say(Msg::aa_column_floor), say(Msg::aa_column_margin), "p",
                     say(Msg::aa_column_difference)});
  double largest = 0;
  for (const decide::Metric& each : decide::metrics()) {
    const std::string key(each.key);
    const auto found = floor.floors.find(key);
    if (found == floor.floors.end()) continue;
    largest = std::max(largest, found->second);
    const auto p = floor.p.find(key);
    const bool calls = p != floor.p.end() && p->second < 0.05;
    table.add_row({title_of(each), percent(found->second), percent(*stats::margin_for(found->second)),
                   p == floor.p.end() ? kNone : fmt::format("{:.2g}", p->second),
                   say(calls ? Msg::word_yes : Msg::word_no)});
  }
  out += table.render() + "\n" + line(say(Msg::aa_chance)) + line(say(Msg::aa_stored));
  if (largest > kLargeFloor) out += line("! " + say(Msg::aa_large, percent(*stats::margin_for(largest))), 2);
  if (health.is_broken) out += line("!! " + say(Msg::aa_broken, health.differences, health.tests), 3);
  return out;
}

}  // namespace scoville::report
