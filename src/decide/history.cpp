#include "decide/history.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "base/check.hpp"
#include "stats/mann_whitney.hpp"
#include "stats/pettitt.hpp"
#include "stats/summary.hpp"

namespace scoville::decide {
namespace {

constexpr double kStepP = 0.05;
constexpr std::size_t kMostPlateauRuns = 90;

analyse::SetFigure figure_of(const Arm& arm, const Metric& metric) {
  std::vector<std::optional<double>> values;
  bool is_supported = true;
  for (const ArmRun& run : arm.runs) {
    const analyse::RunFigure figure = metric.of(run.statistics);
    is_supported = is_supported && figure.is_supported;
    values.push_back(figure.value);
  }
  analyse::SetFigure out = analyse::over_runs(std::move(values));
  out.is_supported = is_supported;
  return out;
}

void add(const Gate& gate, const std::string& key, std::vector<Change>& out) {
  const GateField& field = *gate.find(key);
  out.push_back({key, field.base, field.candidate});
}

/// What is known to differ of systems and load; faults of runs are no change.
std::vector<Change> changes_between(const Arm& before, const Arm& after) {
  const Gate gate = check(before, after);
  std::vector<Change> out;
  for (const auto* keys : {&gate.refused, &gate.differs, &gate.noted}) {
    for (const std::string& key : *keys) {
      if (gate.find(key)->field_class != FieldClass::validity) add(gate, key, out);
    }
  }
  return out;
}

/// Other numbers of devices make figures that are no one series.
std::vector<Change> refused_between(const Arm& point, const Arm& newest, const GateOptions& options) {
  const Gate gate = check(point, newest, options);
  std::vector<Change> out;
  for (const std::string& key : gate.refused) add(gate, key, out);
  if (gate.is_per_device) add(gate, "device.count", out);
  return out;
}

/// The values of the points used, one after the other.
struct Values {
  std::vector<double> all;
  std::vector<std::size_t> points;  ///< each with at least one value
  std::vector<std::size_t> starts;  ///< of its first value; the end of all behind the last

  /// Values of the points at [first, last) of `points`.
  std::span<const double> part(std::size_t first, std::size_t last) const {
    return std::span(all).subspan(starts[first], starts[last] - starts[first]);
  }
};

/// No step rests on a quantile with too few requests.
Values values_of(const History& history, std::size_t count) {
  Values out;
  for (std::size_t i = 0; i < count; ++i) {
    const HistoryPoint& point = history.points[i];
    if (!point.is_used() || !point.figure.is_supported || point.figure.n == 0) continue;
    out.points.push_back(i);
    out.starts.push_back(out.all.size());
    for (const std::optional<double>& each : point.figure.values) {
      if (each) out.all.push_back(*each);
    }
  }
  out.starts.push_back(out.all.size());
  return out;
}

/// A level changes between points, so of all borders that one is taken which leaves the least sum of squares around two
/// means: the largest n1 n2 (m1 − m2)².
std::size_t best_border(const Values& values, std::size_t first, std::size_t last) {
  std::size_t best = first + 1;
  double most = -1;
  for (std::size_t border = first + 1; border < last; ++border) {
    const auto left = values.part(first, border), right = values.part(border, last);
    const double gap = stats::mean(left).value_or(0) - stats::mean(right).value_or(0);
    const double between = static_cast<double>(left.size()) * static_cast<double>(right.size()) * gap * gap;
    if (between <= most) continue;
    most = between;
    best = border;
  }
  return best;
}

struct Border {
  std::size_t at = 0;  ///< of `points`: the first after it
  double p = 1;
};

/// The relative change between the levels of [first, border) and [border, last).
double change_at(const Values& values, std::size_t first, std::size_t border, std::size_t last) {
  const double before = stats::mean(values.part(first, border)).value_or(0);
  const double after = stats::mean(values.part(border, last)).value_or(0);
  return before == 0 ? 0 : after / before - 1;
}

std::optional<Border> border_in(const Values& values, std::size_t first, std::size_t last, double margin, double p) {
  if (last - first < 2) return std::nullopt;
  const auto test = stats::pettitt(values.part(first, last));
  if (!test || test->p >= p) return std::nullopt;
  const std::size_t border = best_border(values, first, last);
  if (std::fabs(change_at(values, first, border, last)) <= margin) return std::nullopt;
  return Border{border, test->p};
}

/// Borders within [first, last) of the points, each part searched anew, in order. Up and down again by as much is no
/// step of the whole, so two thirds from either end are looked at as well.
void find_borders(const Values& values, std::size_t first, std::size_t last, double margin, std::vector<Border>& out) {
  const std::size_t third = (last - first) / 3;
  std::optional<Border> found = border_in(values, first, last, margin, kStepP);
  if (!found && third > 0) found = border_in(values, first, last - third, margin, kStepP / 2);
  if (!found && third > 0) found = border_in(values, first + third, last, margin, kStepP / 2);
  if (!found) return;
  find_borders(values, first, found->at, margin, out);
  out.push_back(*found);
  find_borders(values, found->at, last, margin, out);
}

/// Steps among the first `count` points; each is as high as the levels right before and after it are apart.
std::vector<Step> steps_among(const History& history, std::size_t count) {
  const Values values = values_of(history, count);
  std::vector<Border> borders;
  find_borders(values, 0, values.points.size(), history.margin, borders);
  std::vector<Step> out;
  for (std::size_t i = 0; i < borders.size(); ++i) {
    const std::size_t from = i == 0 ? 0 : borders[i - 1].at, at = borders[i].at;
    const std::size_t to = i + 1 < borders.size() ? borders[i + 1].at : values.points.size();
    Step step{values.points[at - 1], values.points[at], borders[i].p, change_at(values, from, at, to), false};
    step.is_worse = (step.change > 0) == (history.metric->better == stats::Better::lower);
    if (std::fabs(step.change) > history.margin) out.push_back(step);
  }
  return out;
}

/// The points before the newest since the last step among them.
std::vector<std::size_t> plateau_of(const History& history) {
  const std::size_t newest = history.points.size() - 1;
  const std::vector<Step> steps = steps_among(history, newest);
  std::vector<std::size_t> out;
  for (std::size_t i = steps.empty() ? 0 : steps.back().after; i < newest; ++i) {
    if (history.points[i].is_used()) out.push_back(i);
  }
  return out;
}

/// The newest runs of the plateau, so many as the exact test takes along with the newest point's.
Arm plateau_arm(const History& history) {
  Arm out = history.points[history.plateau.back()].arm;
  out.name = "plateau";
  out.runs.clear();
  for (const std::size_t i : history.plateau) {
    const Arm& each = history.points[i].arm;
    out.runs.insert(out.runs.end(), each.runs.begin(), each.runs.end());
    out.is_one_plan = out.is_one_plan && each.is_one_plan;
  }
  const std::size_t taken = std::min(stats::kMostCompared - 1, history.points.back().arm.runs.size());
  const std::size_t most = std::min(kMostPlateauRuns, stats::kMostCompared - taken);
  if (out.runs.size() > most) out.runs.erase(out.runs.begin(), out.runs.end() - static_cast<std::ptrdiff_t>(most));
  return out;
}

/// Slower for sure by more than the margin; or slower for sure, and more than the margin as far as can be seen.
bool is_slower(const MetricComparison& metric) {
  if (metric.verdict == stats::Verdict::slower) return true;
  return metric.verdict == stats::Verdict::slower_size_uncertain && metric.ratio->value < 1 / (1 + metric.margin);
}

Outcome outcome_of(const History& history) {
  if (!history.points.back().is_used()) return Outcome::refused;
  if (!history.newest) return Outcome::alone;
  if (history.newest->gate.result == GateResult::refuse) return Outcome::refused;
  const MetricComparison* const metric = history.compared();
  if (!metric || metric->verdict == stats::Verdict::inconclusive) return Outcome::unknown;
  return is_slower(*metric) ? Outcome::slower : Outcome::holds;
}

double margin_of(const HistoryOptions& options) {
  const auto floor = options.floors.find(options.metric);
  const auto known = floor == options.floors.end() ? std::nullopt : std::optional(floor->second);
  return options.margin ? *options.margin : stats::margin_for(known).value_or(stats::kLeastMargin);
}

HistoryPoint point_of(Arm arm, const Metric& metric) {
  HistoryPoint out;
  out.figure = figure_of(arm, metric);
  out.output_tokens_per_s = figure_of(arm, *find_metric("output_tokens_per_s"));
  out.ttft = figure_of(arm, *find_metric("ttft"));
  out.arm = std::move(arm);
  return out;
}

}  // namespace

std::string_view name_of(Outcome outcome) {
  constexpr std::array<std::string_view, 5> kNames{"alone", "refused", "unknown", "holds", "slower"};
  return kNames[static_cast<std::size_t>(outcome)];
}

History follow(std::vector<Arm> points, const HistoryOptions& options) {
  SCOVILLE_CHECK(!points.empty(), "a history has a point");
  History out;
  out.metric = find_metric(options.metric);
  SCOVILLE_CHECK(out.metric != nullptr, "the metric followed is one of metrics()");
  out.margin = margin_of(options);
  for (Arm& each : points) out.points.push_back(point_of(std::move(each), *out.metric));
  const GateOptions gate{{}, options.allow, Accuracy::unknown};
  for (std::size_t i = 0; i < out.points.size(); ++i) {
    HistoryPoint& point = out.points[i];
    if (i > 0) point.changes = changes_between(out.points[i - 1].arm, point.arm);
    point.refused = refused_between(point.arm, out.points.back().arm, gate);
    if (point.is_used()) out.used_runs += point.arm.runs.size();
  }
  out.steps = steps_among(out, out.points.size());
  out.plateau = plateau_of(out);
  if (!out.plateau.empty()) {
    const Arm plateau = plateau_arm(out);
    CompareOptions compared;
    compared.primary = {options.metric};
    compared.margin = options.margin;
    compared.floors = options.floors;
    const Arm& newest = out.points.back().arm;
    out.newest = compare(plateau, newest, check(plateau, newest, gate), compared);
  }
  out.outcome = outcome_of(out);
  return out;
}

}  // namespace scoville::decide
