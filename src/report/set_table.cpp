#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/duration.hpp"
#include "report/calibration_table.hpp"
#include "report/cells.hpp"
#include "report/launch_lines.hpp"
#include "report/run_set.hpp"
#include "report/system_lines.hpp"
#include "text/table.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using analyse::Latency;
using analyse::SetFigure;
using analyse::SetFigures;
using text::Msg;
using text::say;

using Show = std::function<std::string(double)>;

std::string as_duration(double nanos) { return format_duration(Nanos(std::llround(nanos))); }
std::string as_number(double value) { return number(value); }
std::string as_percent(double share) { return fmt::format("{:.2f} %", share * 100); }

/// Figures of a set as rows. Up to eight runs the interval goes from the smallest to the largest: one column for both.
class FigureTable {
 public:
  FigureTable(Msg name, const SetFigures& figures)
      : runs_(figures.runs), is_range_(is_range(figures.runs)), table_(header(say(name), is_range_)) {
    table_.flush_left(1);
  }

  void add(const std::string& name, const std::string& what, const SetFigure& figure, const Show& show) {
    std::vector<std::string> row{name, what};
    if (!figure.median) {
      row.insert(row.end(), {kNone, say(Msg::set_value_in, figure.n, runs_)});
      return table_.add_row(std::move(row));
    }
    row.push_back(show(*figure.median) + (figure.is_supported ? "" : "*"));
    row.push_back(range(figure.low, figure.high, show));
    if (!is_range_) row.push_back(range(figure.smallest, figure.largest, show));
    row.push_back(figure.cv ? fmt::format("{:.2f} %", *figure.cv * 100) : kNone);
    table_.add_row(std::move(row));
  }

  std::string render() const { return table_.render(); }

 private:
  static bool is_range(std::size_t runs) { return runs < 9; }
  static std::vector<std::string> header(std::string name, bool is_range) {
    if (is_range)
      return {std::move(name), say(Msg::column_quantile), say(Msg::column_over_runs), say(Msg::column_set_both), "CV"};
    return {std::move(name),
            say(Msg::column_quantile),
            say(Msg::column_over_runs),
            say(Msg::column_set_interval),
            say(Msg::column_set_range),
            "CV"};
  }
  static std::string range(std::optional<double> from, std::optional<double> to, const Show& show) {
    return from && to ? show(*from) + " … " + show(*to) : kNone;
  }

  std::size_t runs_;
  bool is_range_;
  text::Table table_;
};

/// No reasoning came before the answer in any run.
bool repeats_ttft(const SetFigures& figures) {
  const analyse::LatencyOverRuns &first = figures.latency(Latency::ttft), &answer = figures.latency(Latency::ttfa);
  return first.p50.values == answer.p50.values && first.p95.values == answer.p95.values;
}

std::string figure_tables(const SetFigures& figures) {
  FigureTable latencies(Msg::column_latency, figures);
  for (std::size_t i = 0; i < analyse::kLatencyCount; ++i) {
    const Latency which = static_cast<Latency>(i);
    if (which == Latency::ttfa && repeats_ttft(figures)) continue;
    latencies.add(latency_name(which), "P50", figures.latencies[i].p50, as_duration);
    latencies.add("", "P95", figures.latencies[i].p95, as_duration);
  }
  FigureTable rates(Msg::column_rate, figures);
  const auto add = [&](Msg name, const analyse::RateOverRuns& rate) {
    rates.add(say(name), say(Msg::column_full), rate.full, as_number);
    rates.add("", say(Msg::column_steady), rate.steady, as_number);
  };
  add(Msg::row_output_rate, figures.output_tokens_per_s);
  add(Msg::row_total_rate, figures.total_tokens_per_s);
  add(Msg::row_request_rate, figures.requests_per_s);
  if (figures.attainment) rates.add(say(Msg::row_attainment), say(Msg::column_full), *figures.attainment, as_percent);
  return latencies.render() + "\n" + rates.render();
}

/// The largest bound of any run; what keeps one from having any is told with the run.
std::string bound_line(const SetView& view) {
  std::optional<Nanos> ttft, tpot, icl;
  for (const RunOfSet* run : view.counted) {
    const analyse::ErrorBound& bound = run->analysis.error_bound;
    if (bound.reason != analyse::NoBound::none)
      return text::wrapped(say(Msg::set_bound, describe(bound)), kLineWidth, 0);
    ttft = std::max(ttft.value_or(Nanos::zero()), bound.ttft.value_or(Nanos::zero()));
    tpot = std::max(tpot.value_or(Nanos::zero()), bound.tpot.value_or(Nanos::zero()));
    icl = std::max(icl.value_or(Nanos::zero()), bound.icl.value_or(Nanos::zero()));
  }
  if (!ttft) return "";
  return say(Msg::set_bound_largest, span(ttft), span(tpot), span(icl)) + "\n";
}

std::string level_line(std::size_t runs) {
  const std::optional<double> level = analyse::level_of(runs);
  if (!level) return runs == 1 ? say(Msg::set_level_one) + "\n" : "";
  const std::string percent = fmt::format("{:.5g} %", *level * 100);
  return say(*level < 0.95 ? Msg::set_level_few : Msg::set_level, runs, percent) + "\n";
}

std::string steady_line(const SetFigures& figures) {
  if (figures.runs == 0) return "";
  const std::size_t unknown = figures.runs - figures.steady - figures.drifting;
  return say(Msg::set_steady, figures.steady, figures.drifting, unknown) + "\n";
}

/// The six figures, medians over the runs.
std::string six_figures(const SetView& view) {
  double in_flight = 0;
  std::size_t peak = 0;
  for (const RunOfSet* run : view.counted) {
    in_flight += run->analysis.in_flight_mean / static_cast<double>(view.counted.size());
    peak = std::max(peak, run->analysis.in_flight_peak);
  }
  analyse::Throughput rates;
  rates.output_tokens_per_s.full = view.figures.output_tokens_per_s.full.median;
  rates.total_tokens_per_s.full = view.figures.total_tokens_per_s.full.median;
  const std::optional<analyse::Price> price = view.counted.empty() ? std::nullopt : view.counted.front()->subject.price;
  text::Table table({say(Msg::column_figure), say(Msg::column_value)});
  table.flush_left(1);
  const auto latency = [&](Latency which) {
    const analyse::LatencyOverRuns& figure = view.figures.latency(which);
    const auto value = [](const SetFigure& of) { return of.median ? as_duration(*of.median) : std::string(kNone); };
    return "P50 " + value(figure.p50) + "   P95 " + value(figure.p95);
  };
  table.add_row({"1  TTFT", latency(Latency::ttft)});
  table.add_row({"2  TPOT", latency(Latency::tpot)});
  table.add_row({say(Msg::figure_throughput), say(Msg::value_throughput, number(rates.output_tokens_per_s.full),
                                                  number(view.figures.requests_per_s.full.median))});
  table.add_row({say(Msg::figure_memory), say(Msg::value_memory, number(in_flight), peak)});
  table.add_row({say(Msg::figure_power), say(Msg::value_power)});
  table.add_row({say(Msg::figure_cost), cost_value(price, rates)});
  return table.render();
}

std::string run_table(const RunSet& set) {
  text::Table table({say(Msg::column_run), "TTFT P50", "TPOT P50", say(Msg::row_output_rate) + "/s",
                     say(Msg::column_succeeded), say(Msg::column_instrument)});
  for (const RunOfSet& each : set.runs) {
    const analyse::Analysis& run = each.analysis;
    table.add_row({each.subject.run_id, cell(run.latency(Latency::ttft).at(0.5)),
                   cell(run.latency(Latency::tpot).at(0.5)), number(run.rates.output_tokens_per_s.full),
                   fmt::format("{}/{}", run.succeeded, run.attempted),
                   each.was_interrupted ? say(Msg::set_interrupted) : verdict_name(run.instrument.verdict)});
  }
  return table.render();
}

/// What the runs warn of, each code once: how many of them, and the words of the first.
std::string warning_lines(const RunSet& set, const SetView& view) {
  std::string out;
  for (const dataset::Warning& each : set_warnings(set, view))
    out += text::wrapped("! " + each.sentence.said(), kLineWidth, 2);
  std::vector<std::pair<dataset::Warning, std::size_t>> seen;
  for (const RunOfSet* run : view.counted) {
    for (dataset::Warning& each : all_warnings(run->analysis, run->subject)) {
      if (each.code == "instrument_bottleneck" || each.code == "single_run") continue;
      const auto known =
          std::find_if(seen.begin(), seen.end(), [&](const auto& one) { return one.first.code == each.code; });
      if (known == seen.end())
        seen.emplace_back(std::move(each), 1);
      else
        ++known->second;
    }
  }
  for (const auto& [warning, count] : seen)
    out += text::wrapped("! " + say(Msg::set_run_warning, count, view.counted.size(), warning.sentence.said()),
                         kLineWidth, 2);
  return out;
}

std::string closing_sentence(const RunSet& set, const SetView& view) {
  const SetFigures& figures = view.figures;
  if (figures.runs == figures.without_success) return say(Msg::closing_set_empty);
  if (figures.bottlenecks > 0) return say(Msg::closing_bottleneck);
  const RunOfSet& first = set.runs.front();
  return say(Msg::closing_set, first.shape.model, first.subject.url, describe_load(first.plan), figures.runs);
}

}  // namespace

std::string set_table(const RunSet& set) {
  const SetView view = view_of(set);
  const std::string& name = set.id.empty() ? set.tag : set.id;
  std::string out;
  if (view.figures.bottlenecks > 0)
    out += "!! " + say(Msg::set_bottleneck_first, view.figures.bottlenecks, view.figures.runs) + "\n\n";
  if (!view.is_one_plan || set.runs.empty()) {
    out += say(Msg::set_head_mixed, name, set.runs.size()) + "\n\n" + run_table(set);
    return out + "\n" + warning_lines(set, view);
  }
  const RunOfSet& first = set.runs.front();
  out += say(Msg::set_head, name, set.runs.size()) + "\n" + system_lines(first.subject, first.shape);
  out += launch_range(set);
  out += say(Msg::bench_load, describe_load(first.plan), first.subject.dataset.said()) + "\n\n";
  out += figure_tables(view.figures) + "\n" + level_line(view.figures.runs) + steady_line(view.figures);
  out += bound_line(view) + "\n";
  out += say(Msg::figures_head) + "\n" + six_figures(view) + "\n";
  out += run_table(set) + "\n" + warning_lines(set, view);
  for (const RunOfSet& each : set.runs) out += launch_tail(each.subject);
  return out + "\n" + text::wrapped(closing_sentence(set, view), kLineWidth, 0);
}

}  // namespace scoville::report
