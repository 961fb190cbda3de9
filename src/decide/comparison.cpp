#include "decide/comparison.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/check.hpp"
#include "stats/detectable.hpp"
#include "stats/holm.hpp"
#include "stats/mann_whitney.hpp"
#include "stats/mean_ratio.hpp"
#include "stats/permutation.hpp"
#include "stats/signed_rank.hpp"
#include "stats/summary.hpp"

namespace scoville::decide {
namespace {

using stats::Better;
using stats::Verdict;

constexpr std::size_t kFewestRuns = 4;   // two-sided p of 3 and 3 is 0.1 at best
constexpr std::size_t kFewestPairs = 6;  // of 5 pairs 0.0625

/// Values of one metric on both sides, where every run has one.
struct Samples {
  std::vector<double> base, candidate;
  bool is_complete = true, is_supported = true;
};

analyse::SetFigure figure_of(const Arm& arm, const Metric& metric, std::optional<int> devices, Samples& samples,
                             std::vector<double>& values) {
  std::vector<std::optional<double>> all;
  bool is_supported = true;
  for (const ArmRun& run : arm.runs) {
    const analyse::RunFigure figure = metric.of(run.statistics);
    std::optional<double> value = figure.value;
    if (value && devices) *value /= *devices;
    is_supported = is_supported && figure.is_supported;
    samples.is_complete = samples.is_complete && value && *value > 0;
    if (value) values.push_back(*value);
    all.push_back(value);
  }
  analyse::SetFigure out = analyse::over_runs(std::move(all));
  out.is_supported = is_supported;
  samples.is_supported = samples.is_supported && is_supported;
  return out;
}

/// Where the arms have different numbers of devices only what can be divided by them is compared.
bool is_shown(const Metric& metric, const Comparison& about) { return !about.gate.is_per_device || metric.is_rate; }

std::size_t fewest(Design design) { return design == Design::paired ? kFewestPairs : kFewestRuns; }
std::size_t run_count(const Samples& samples) { return std::min(samples.base.size(), samples.candidate.size()); }

double smallest_p(Design design, std::size_t base, std::size_t candidate) {
  return design == Design::paired ? stats::smallest_signed_rank_p(std::min(base, candidate))
                                  : stats::smallest_rank_sum_p(base, candidate);
}

/// Of one arm's runs, or of the ratios of pairs.
std::optional<double> spread(Design design, const Samples& samples) {
  if (design == Design::unpaired) return stats::pooled_cv(samples.base, samples.candidate);
  std::vector<double> logs;
  for (std::size_t i = 0; i < run_count(samples); ++i) logs.push_back(std::log(samples.candidate[i] / samples.base[i]));
  const auto summary = stats::summarize(logs);
  return summary ? summary->sample_std : std::nullopt;  // of ln ratio: the CV of the ratio
}

void estimate(Design design, const Samples& samples, double level, MetricComparison& out) {
  const Better better = out.metric->better;
  const auto ratio = design == Design::paired ? stats::paired_ratio(samples.base, samples.candidate, level)
                                              : stats::ratio_between(samples.base, samples.candidate, level);
  if (ratio) out.ratio = stats::oriented(*ratio, better);
  if (const auto median = stats::median_ratio(samples.base, samples.candidate))
    out.median_ratio = better == Better::lower ? 1 / *median : *median;
  if (design == Design::paired) {
    if (const auto test = stats::paired_test(samples.base, samples.candidate)) out.p = test->p;
    return;
  }
  if (const auto test = stats::rank_sum_test(samples.base, samples.candidate)) {
    out.p = test->p;
    out.cliffs_delta = better == Better::lower ? 0.0 - test->cliffs_delta : test->cliffs_delta;
  }
  out.permutation_p = stats::permutation_p_of_means(samples.base, samples.candidate);
}

/// A metric up to its p; the verdict needs those of the others.
MetricComparison measure(const Arm& base, const Arm& candidate, const Metric& metric, const Comparison& about,
                         const CompareOptions& options, Samples& samples) {
  MetricComparison out;
  out.metric = &metric;
  out.is_primary = std::find(options.primary.begin(), options.primary.end(), metric.key) != options.primary.end();
  out.is_per_device = about.gate.is_per_device;
  const auto devices = [&](const Arm& arm) { return out.is_per_device ? devices_of(arm.setup) : std::nullopt; };
  out.base = figure_of(base, metric, devices(base), samples, samples.base);
  out.candidate = figure_of(candidate, metric, devices(candidate), samples, samples.candidate);
  if (const auto floor = options.floors.find(std::string(metric.key)); floor != options.floors.end())
    out.floor = floor->second;
  const double least = about.is_one_machine ? stats::kLeastMargin : stats::kLeastMarginBetweenMachines;
  out.margin = options.margin ? *options.margin : stats::margin_for(out.floor, least).value_or(least);
  if (!samples.is_complete || !is_shown(metric, about)) return out;
  estimate(options.design, samples, out.is_primary ? about.level : 1 - options.alpha, out);
  return out;
}

/// `runs` beyond those that are there, for both arms, at the mean length of the present ones.
std::optional<double> minutes_for(const Arm& base, const Arm& candidate, std::size_t runs) {
  double seconds = 0;
  for (const Arm* arm : {&base, &candidate}) {
    double sum = 0;
    for (const ArmRun& run : arm->runs) sum += to_seconds(run.statistics.length);
    if (arm->runs.empty()) return std::nullopt;
    const std::size_t missing = runs > arm->runs.size() ? runs - arm->runs.size() : 0;
    seconds += sum / static_cast<double>(arm->runs.size()) * static_cast<double>(missing);
  }
  return seconds / 60;
}

/// Runs that find a difference of the margin's size, or the observed one where that is larger; for the family's alpha.
std::optional<Resolve> resolve(const Arm& base, const Arm& candidate, const Samples& samples, double alpha,
                               const MetricComparison& metric, Design design) {
  const double seen = metric.ratio ? std::fabs(std::log(metric.ratio->value)) : 0;
  const double difference = std::max(seen, std::log1p(metric.margin));
  std::size_t runs = fewest(design);
  const std::optional<double> cv = spread(design, samples);
  const stats::Design shape{design == Design::paired, alpha, 0.8};
  if (cv) {
    const auto needed = stats::runs_to_resolve(difference, *cv, shape);
    if (!needed) return std::nullopt;
    runs = std::max(runs, *needed);
  }
  if (metric.reason == NoVerdict::not_resolved) runs = std::max(runs, run_count(samples) + 1);
  return Resolve{runs, minutes_for(base, candidate, runs)};
}

void judge(MetricComparison& out, const Samples& samples, const Comparison& about, const CompareOptions& options,
           std::size_t family) {
  out.verdict = Verdict::inconclusive;
  if (!is_shown(*out.metric, about)) {
    out.reason = NoVerdict::not_per_device;
    return;
  }
  if (!samples.is_complete || !out.ratio || !out.p) {
    out.reason = NoVerdict::missing;
    return;
  }
  const std::size_t in_family = out.is_primary ? family : 1;
  const double alpha = options.alpha / static_cast<double>(in_family);
  const bool could_show = run_count(samples) >= fewest(options.design);
  if (const auto cv = spread(options.design, samples); cv && could_show)
    out.mde = stats::detectable_effect(run_count(samples), *cv, {options.design == Design::paired, alpha, 0.8});
  if (!samples.is_supported) {
    out.reason = NoVerdict::unsupported;
  } else if (!could_show) {
    out.reason = NoVerdict::too_few_runs;
  } else if (in_family > largest_family(options.design, about.base_runs, about.candidate_runs, options.alpha)) {
    out.reason = NoVerdict::family_too_large;
  } else if (const auto judged =
                 stats::judge(out.ratio->interval, out.margin, out.p_adjusted.value_or(*out.p), options.alpha)) {
    out.verdict = judged->verdict;
    out.reason = judged->verdict == Verdict::inconclusive ? NoVerdict::not_resolved : NoVerdict::none;
  }
}

bool is_everywhere_missing(const MetricComparison& metric) { return metric.base.n == 0 && metric.candidate.n == 0; }

std::vector<const Metric*> in_order(const CompareOptions& options) {
  std::vector<const Metric*> out;
  for (const std::string& key : options.primary) {
    const Metric* const metric = find_metric(key);
    SCOVILLE_CHECK(metric != nullptr, "a primary metric is one of metrics()");
    if (std::find(out.begin(), out.end(), metric) == out.end()) out.push_back(metric);
  }
  for (const Metric& each : metrics()) {
    if (std::find(out.begin(), out.end(), &each) == out.end()) out.push_back(&each);
  }
  return out;
}

bool is_same(const MetricComparison& a, const MetricComparison& b) {
  return a.base.values == b.base.values && a.candidate.values == b.candidate.values;
}

/// What has a verdict of its own to give: not a quantile that nobody may use, and not TTFA where it is TTFT.
bool counts(const MetricComparison& metric, const std::vector<MetricComparison>& all) {
  if (!metric.p || !metric.base.is_supported || !metric.candidate.is_supported) return false;
  if (!metric.metric->key.starts_with("ttfa")) return true;
  const std::string ttft = "ttft" + std::string(metric.metric->key.substr(4));
  return std::none_of(all.begin(), all.end(),
                      [&](const MetricComparison& each) { return each.metric->key == ttft && is_same(each, metric); });
}

/// p of the family by Holm, of the others by Benjamini and Hochberg.
void adjust(std::vector<MetricComparison>& all, std::size_t family) {
  for (const bool is_primary : {true, false}) {
    std::vector<double> p;
    std::vector<MetricComparison*> whose;
    for (MetricComparison& each : all) {
      if (each.is_primary != is_primary || !each.p || (!is_primary && !counts(each, all))) continue;
      p.push_back(*each.p);
      whose.push_back(&each);
    }
    // Where k candidates share the family, each is given α/k of it: together they stay below α.
    const double others = is_primary && !p.empty() ? static_cast<double>(family) / static_cast<double>(p.size()) : 1;
    const auto adjusted = is_primary ? stats::holm_adjusted(p) : stats::benjamini_hochberg_adjusted(p);
    for (std::size_t i = 0; adjusted && i < whose.size(); ++i)
      whose[i]->p_adjusted = std::min(1.0, (*adjusted)[i] * std::max(1.0, others));
  }
}

}  // namespace

std::string_view name_of(Design design) { return design == Design::paired ? "paired" : "unpaired"; }

std::string_view name_of(NoVerdict reason) {
  constexpr std::array<std::string_view, 7> kNames{"none",        "too_few_runs",     "not_resolved",  "missing",
                                                   "unsupported", "family_too_large", "not_per_device"};
  return kNames[static_cast<std::size_t>(reason)];
}

const MetricComparison* Comparison::find(std::string_view key) const {
  const auto found = std::find_if(metrics.begin(), metrics.end(),
                                  [&](const MetricComparison& each) { return each.metric->key == key; });
  return found == metrics.end() ? nullptr : &*found;
}

bool alternates(const Arm& base, const Arm& candidate) {
  if (base.runs.size() != candidate.runs.size() || base.runs.size() < 2) return false;
  std::vector<std::pair<Nanos, bool>> order;
  for (const ArmRun& run : base.runs) order.emplace_back(run.started, true);
  for (const ArmRun& run : candidate.runs) order.emplace_back(run.started, false);
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < order.size(); i += 2) {
    if (order[i].second == order[i + 1].second) return false;
  }
  return true;
}

std::size_t largest_family(Design design, std::size_t base_runs, std::size_t candidate_runs, double alpha) {
  return stats::largest_family(smallest_p(design, base_runs, candidate_runs), alpha).value_or(0);
}

std::size_t runs_for_family(Design design, std::size_t family, double alpha) {
  std::size_t runs = fewest(design);
  while (largest_family(design, runs, runs, alpha) < family && runs < stats::kMostCompared / 2) ++runs;
  return runs;
}

Comparison compare(const Arm& base, const Arm& candidate, Gate gate, const CompareOptions& options) {
  Comparison out;
  out.base = base.name;
  out.candidate = candidate.name;
  out.gate = std::move(gate);
  out.design = options.design;
  out.is_one_machine = is_one_machine(base.setup, candidate.setup);
  out.base_runs = base.runs.size();
  out.candidate_runs = candidate.runs.size();
  const std::size_t family = std::max<std::size_t>({1, options.family, options.primary.size()});
  out.level = stats::family_interval_level(options.alpha, family).value_or(1 - options.alpha);
  if (out.gate.result == GateResult::refuse) return out;
  std::vector<Samples> samples;
  for (const Metric* metric : in_order(options)) {
    Samples own;
    MetricComparison measured = measure(base, candidate, *metric, out, options, own);
    if (!measured.is_primary && (is_everywhere_missing(measured) || !is_shown(*metric, out))) continue;
    out.metrics.push_back(std::move(measured));
    samples.push_back(std::move(own));
  }
  adjust(out.metrics, family);
  for (std::size_t i = 0; i < out.metrics.size(); ++i) {
    MetricComparison& each = out.metrics[i];
    judge(each, samples[i], out, options, family);
    const bool more_runs_help = each.reason == NoVerdict::too_few_runs || each.reason == NoVerdict::not_resolved;
    const double alpha = options.alpha / static_cast<double>(each.is_primary ? family : 1);
    if (more_runs_help) each.resolve = resolve(base, candidate, samples[i], alpha, each, options.design);
  }
  return out;
}

}  // namespace scoville::decide
