#include "analyse/set.hpp"

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "stats/quantile.hpp"
#include "stats/summary.hpp"
#include "stats/trend.hpp"

namespace scoville::analyse {
namespace {

constexpr std::size_t kFewestForDrift = 5;  // four can never reach p < 0.05 (stats/trend.hpp)
constexpr double kDriftP = 0.05;

using Runs = std::span<const Analysis* const>;

std::optional<stats::RankInterval> ranks_of(std::size_t runs) {
  if (runs < 2) return std::nullopt;
  if (const auto ranks = stats::rank_interval(runs, 0.5)) return ranks;
  return stats::RankInterval{1, runs, 1 - 2 * std::pow(0.5, static_cast<double>(runs))};
}

/// `value_of` each run.
template <class Get>
SetFigure figure(Runs runs, Get value_of) {
  std::vector<std::optional<double>> values;
  for (const Analysis* each : runs) values.push_back(value_of(*each));
  return over_runs(std::move(values));
}

SetFigure quantile_figure(Runs runs, Latency which, double p) {
  SetFigure out = figure(runs, [&](const Analysis& run) -> std::optional<double> {
    const Quantile* const quantile = run.latency(which).at(p);
    if (!quantile || !quantile->value) return std::nullopt;
    return static_cast<double>(quantile->value->count());
  });
  out.is_supported = std::all_of(runs.begin(), runs.end(), [&](const Analysis* run) {
    const Quantile* const quantile = run->latency(which).at(p);
    return quantile && quantile->is_supported;
  });
  return out;
}

RateOverRuns rate_figures(Runs runs, Rate Throughput::*rate) {
  return {figure(runs, [&](const Analysis& run) { return (run.rates.*rate).full; }),
          figure(runs, [&](const Analysis& run) { return (run.rates.*rate).steady; })};
}

std::optional<SetFigure> attainment_figure(Runs runs) {
  const bool has_limits = std::any_of(runs.begin(), runs.end(), [](const Analysis* run) { return run->goodput; });
  if (!has_limits) return std::nullopt;
  return figure(runs, [](const Analysis& run) -> std::optional<double> {
    if (!run.goodput) return std::nullopt;
    return run.goodput->counts.attainment;
  });
}

std::vector<Drift> drifts_of(const SetFigures& figures) {
  std::vector<Drift> out;
  const auto test = [&](Drift::Series series, const SetFigure& figure) {
    if (!figure.median || figure.n < kFewestForDrift) return;
    std::vector<double> values;
    for (const std::optional<double>& each : figure.values) values.push_back(*each);
    const std::optional<stats::MannKendall> trend = stats::mann_kendall(values);
    if (trend && trend->p < kDriftP) out.push_back({series, trend->s > 0, trend->p});
  };
  test(Drift::Series::ttft, figures.latency(Latency::ttft).p50);
  test(Drift::Series::tpot, figures.latency(Latency::tpot).p50);
  test(Drift::Series::output_tokens_per_s, figures.output_tokens_per_s.full);
  return out;
}

}  // namespace

std::string_view name_of(NoFigure reason) {
  switch (reason) {
    case NoFigure::none:
      return "none";
    case NoFigure::missing:
      return "missing";
    case NoFigure::too_few:
      return "too_few";
  }
  SCOVILLE_CHECK(false, "every reason has a name");
}

std::optional<double> level_of(std::size_t runs) {
  const auto ranks = ranks_of(runs);
  return ranks ? std::optional(ranks->coverage) : std::nullopt;
}

SetFigure over_runs(std::vector<std::optional<double>> values) {
  SetFigure out;
  std::vector<double> sorted;
  for (const std::optional<double>& each : values) {
    if (each) sorted.push_back(*each);
  }
  out.n = sorted.size();
  out.values = std::move(values);
  if (out.n < out.values.size() || out.n == 0) {
    out.reason = NoFigure::missing;
    return out;
  }
  std::sort(sorted.begin(), sorted.end());
  out.median = stats::linear_quantile(sorted, 0.5);
  out.smallest = sorted.front();
  out.largest = sorted.back();
  const auto ranks = ranks_of(out.n);
  if (!ranks) {
    out.reason = NoFigure::too_few;
    return out;
  }
  out.low = sorted[ranks->lower - 1];
  out.high = sorted[ranks->upper - 1];
  out.level = ranks->coverage;
  const std::optional<stats::Summary> summary = stats::summarize(sorted);
  if (summary && summary->sample_std && summary->mean != 0) out.cv = *summary->sample_std / summary->mean;
  return out;
}

SetFigures summarise_set(Runs runs) {
  SetFigures out;
  out.runs = runs.size();
  for (std::size_t i = 0; i < kLatencyCount; ++i) {
    const Latency which = static_cast<Latency>(i);
    out.latencies[i] = {quantile_figure(runs, which, 0.5), quantile_figure(runs, which, 0.95)};
  }
  out.requests_per_s = rate_figures(runs, &Throughput::requests_per_s);
  out.output_tokens_per_s = rate_figures(runs, &Throughput::output_tokens_per_s);
  out.total_tokens_per_s = rate_figures(runs, &Throughput::total_tokens_per_s);
  out.attainment = attainment_figure(runs);
  for (const Analysis* each : runs) {
    out.bottlenecks += each->instrument.verdict == Verdict::bottleneck ? 1 : 0;
    out.without_success += each->succeeded == 0 ? 1 : 0;
    out.steady += each->validity.verdict == stats::SteadyVerdict::steady ? 1 : 0;
    out.drifting += analyse::drifts(each->validity.verdict) ? 1 : 0;
  }
  out.drifts = drifts_of(out);
  return out;
}

}  // namespace scoville::analyse
