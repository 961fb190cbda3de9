#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/duration.hpp"
#include "report/cells.hpp"
#include "report/comparison.hpp"
#include "stats/noise_floor.hpp"
#include "stats/verdict.hpp"
#include "text/table.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using decide::Comparison;
using decide::FieldClass;
using decide::GateField;
using decide::GateResult;
using decide::MetricComparison;
using decide::NoVerdict;
using decide::Scope;
using stats::Verdict;
using text::Msg;
using text::say;

std::string line(const std::string& sentence, std::size_t indent = 0) {
  return text::wrapped(sentence, kLineWidth, indent);
}

std::string joined(const std::vector<std::string>& list) { return fmt::format("{}", fmt::join(list, ", ")); }
std::string percent(double share) { return fmt::format("{:.3g} %", share * 100); }

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

std::string ratio_of(double ratio) { return fmt::format("{:#.4g}", ratio); }

std::vector<std::string> row_of(const MetricComparison& metric) {
  const Scale scale = scale_of(metric);
  std::string name = title_of(*metric.metric);
  if (*scale.unit) name += fmt::format(", {}", scale.unit);
  if (metric.is_primary) name = "▶ " + name;
  std::string interval = kNone;
  if (metric.ratio && metric.ratio->interval)
    interval = fmt::format("{} … {}", ratio_of(metric.ratio->interval->lower), ratio_of(metric.ratio->interval->upper));
  return {std::move(name),
          cell_of(metric.base, scale),
          cell_of(metric.candidate, scale),
          metric.ratio ? ratio_of(metric.ratio->value) : std::string(kNone),
          std::move(interval),
          p_of(metric),
          name_of_verdict(metric)};
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
  text::Table table({say(Msg::compare_column_metric), all.base, all.candidate, say(Msg::compare_column_ratio),
                     say(Msg::compare_column_interval), "p", say(Msg::compare_column_verdict)});
  table.flush_left(6);
  bool was_primary = true;
  for (const MetricComparison& each : all.metrics) {
    if ((only_primary && !each.is_primary) || repeats(each, all) || lacks_requests(each)) continue;
    if (was_primary && !each.is_primary) table.add_rule();
    was_primary = each.is_primary;
    table.add_row(row_of(each));
  }
  return table.render();
}

std::string why(const GateField& field) {
  if (field.key == "runs.instrument" || field.key == "runs.client_bound") return say(Msg::compare_why_instrument);
  if (field.key == "accuracy") return say(Msg::compare_why_accuracy);
  if (field.key == "prompt_tokens" || field.key == "output_tokens") return say(Msg::compare_why_workload);
  if (field.key == "device.slice") return say(Msg::compare_why_slice);
  if (field.key == "harness") return say(Msg::compare_why_harness);
  if (field.field_class == FieldClass::validity) return say(Msg::compare_why_validity);
  if (field.field_class == FieldClass::subject) return say(Msg::compare_why_subject);
  return say(Msg::compare_why_must_equal);
}

/// Long values are cut to what a terminal shows: the JSON has them whole.
std::string shortened(const std::string& value) {
  constexpr std::size_t kMost = 36;
  return value.empty() ? kNone : text::shorten(value, kMost);
}

std::string refusal(const Comparison& all) {
  std::string out = say(Msg::compare_gate_refuse) + "\n\n";
  text::Table table({say(Msg::compare_column_field), all.base, all.candidate, say(Msg::compare_column_why)});
  for (const std::size_t column : {1, 2, 3}) table.flush_left(column);
  bool can_allow = false;
  for (const std::string& key : all.gate.refused) {
    const GateField& field = *all.gate.find(key);
    table.add_row({key, shortened(field.base), shortened(field.candidate), why(field)});
    can_allow = can_allow || field.can_be_allowed;
  }
  out += table.render();
  return can_allow ? out + "\n" + say(Msg::compare_how_to_allow) + "\n" : out;
}

/// "engine (engine.version 0.9.1 → engine.version 0.10.0), driver (…)".
std::string with_values(const decide::Gate& gate, const std::vector<std::string>& keys) {
  std::vector<std::string> out;
  for (const std::string& key : keys) {
    const GateField& field = *gate.find(key);
    out.push_back(fmt::format("{} ({} → {})", key, shortened(field.base), shortened(field.candidate)));
  }
  return joined(out);
}

std::string gate_lines(const Comparison& all) {
  const decide::Gate& gate = all.gate;
  if (gate.result == GateResult::refuse) return refusal(all);
  std::string out = line(say(gate.result == GateResult::ok ? Msg::compare_gate_ok : Msg::compare_gate_flag));
  if (!gate.unverified.empty()) out += line("! " + say(Msg::compare_unverified, joined(gate.unverified)), 2);
  if (!gate.allowed.empty()) out += line("! " + say(Msg::compare_allowed, with_values(gate, gate.allowed)), 2);
  if (!gate.differs.empty()) out += line("  " + say(Msg::compare_differs, with_values(gate, gate.differs)), 4);
  if (!gate.noted.empty()) out += line("  " + say(Msg::compare_noted, joined(gate.noted)), 4);
  if (gate.is_per_device) out += line("! " + say(Msg::compare_per_device), 2);
  return out;
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

std::string scope_words(const Comparison& all) {
  switch (all.gate.scope) {
    case Scope::service:
      return say(Msg::compare_scope_service);
    case Scope::stack:
      return say(Msg::compare_scope_stack);
    case Scope::single:
      return say(Msg::compare_scope_single, joined(all.gate.differs));
    case Scope::same:
      return say(Msg::compare_scope_same);
  }
  return "";
}

std::string closing(const Comparison& all, const MetricComparison& metric) {
  const std::string title = title_of(*metric.metric), scope = scope_words(all);
  if (metric.verdict == Verdict::inconclusive) {
    const std::string reason =
        metric.reason == NoVerdict::not_resolved ? say(Msg::compare_why_not_resolved) : name_of_verdict(metric);
    return say(Msg::compare_closing_unknown, title, all.candidate, all.base, reason, scope);
  }
  const bool is_better = metric.verdict == Verdict::faster || metric.verdict == Verdict::faster_size_uncertain;
  const Msg key = metric.verdict == Verdict::equivalent ? Msg::compare_closing_equivalent
                  : is_better                           ? Msg::compare_closing_faster
                                                        : Msg::compare_closing_slower;
  const stats::CoveredInterval& interval = *metric.ratio->interval;
  return say(key, title, all.candidate, all.base, ratio_of(metric.ratio->value), ratio_of(interval.lower),
             ratio_of(interval.upper), scope, percent(metric.margin));
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

std::string one_comparison(const CompareView& view, const Comparison& all, bool only_primary) {
  std::string out = head(all) + "\n" + gate_lines(all) + "\n";
  if (all.gate.result == GateResult::refuse) return out;
  out += metric_table(all, only_primary) + "\n";
  out += line(say(Msg::compare_legend, all.candidate, view.family, percent(all.metrics.front().margin)));
  if (!only_primary) out += line(say(Msg::compare_legend_rest));
  std::vector<std::string> left_out;
  for (const MetricComparison& each : all.metrics) {
    if (lacks_requests(each)) left_out.push_back(title_of(*each.metric));
  }
  if (!only_primary && !left_out.empty()) out += line(say(Msg::compare_legend_left_out, joined(left_out)));
  return out + primary_lines(all) + "\n";
}

}  // namespace

std::string name_of_verdict(const MetricComparison& metric) {
  switch (metric.verdict) {
    case Verdict::faster:
      return say(Msg::compare_verdict_faster);
    case Verdict::faster_size_uncertain:
      return say(Msg::compare_verdict_faster_uncertain);
    case Verdict::equivalent:
      return say(Msg::compare_verdict_equivalent);
    case Verdict::slower_size_uncertain:
      return say(Msg::compare_verdict_slower_uncertain);
    case Verdict::slower:
      return say(Msg::compare_verdict_slower);
    case Verdict::inconclusive:
      break;
  }
  switch (metric.reason) {
    case NoVerdict::too_few_runs:
      return say(Msg::compare_verdict_too_few);
    case NoVerdict::missing:
      return say(Msg::compare_verdict_missing);
    case NoVerdict::unsupported:
      return say(Msg::compare_verdict_unsupported);
    case NoVerdict::family_too_large:
      return say(Msg::compare_verdict_family);
    case NoVerdict::not_per_device:
      return say(Msg::compare_verdict_not_per_device);
    case NoVerdict::none:
    case NoVerdict::not_resolved:
      break;
  }
  return say(Msg::compare_verdict_not_resolved);
}

std::string title_of(const decide::Metric& metric) {
  if (metric.key == "output_tokens_per_s") return say(Msg::row_output_rate) + "/s";
  if (metric.key == "total_tokens_per_s") return say(Msg::row_total_rate) + "/s";
  if (metric.key == "requests_per_s") return say(Msg::row_request_rate) + "/s";
  if (metric.key == "goodput_per_s") return say(Msg::compare_goodput) + "/s";
  if (metric.key == "attainment") return say(Msg::row_attainment);
  const std::size_t cut = metric.key.find('_');
  std::string name(metric.key.substr(0, cut));
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
  return name + (cut == std::string_view::npos ? " P50" : " P" + std::string(metric.key.substr(cut + 2)));
}

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
  for (const decide::Metric& each : decide::metrics()) {
    const std::string key(each.key);
    const auto found = floor.floors.find(key);
    if (found == floor.floors.end()) continue;
    const auto p = floor.p.find(key);
    const bool calls = p != floor.p.end() && p->second < 0.05;
    table.add_row({title_of(each), percent(found->second), percent(*stats::margin_for(found->second)),
                   p == floor.p.end() ? kNone : fmt::format("{:.2g}", p->second),
                   say(calls ? Msg::word_yes : Msg::word_no)});
  }
  out += table.render() + "\n" + line(say(Msg::aa_stored));
  if (health.is_broken) out += line("!! " + say(Msg::aa_broken, health.differences, health.tests), 3);
  return out;
}

}  // namespace scoville::report
