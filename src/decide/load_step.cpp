#include "decide/load_step.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "stats/attainment.hpp"
#include "stats/clustering.hpp"
#include "stats/summary.hpp"
#include "stats/trend.hpp"

namespace scoville::decide {
namespace {

constexpr double kFailLevel = 0.95;
constexpr std::size_t kMostWindows = 10, kFewestWindows = 5, kFewestInWindow = 5;
constexpr double kGrowthSignificance = 0.01;  // shared by the two latencies
constexpr double kLeastRelative = 0.02;       // of the level, over the step: below, nothing worth a verdict
constexpr double kMostDrift = 0.05;           // of a closed loop, whose queue cannot grow

using Series = std::vector<double>;

/// In hundredths of the limit, rounded up: what a timer's noise does far below it says nothing of misses.
std::vector<Series> coarse(const std::vector<Series>& pieces, double limit) {
  std::vector<Series> out = pieces;
  for (Series& piece : out) {
    for (double& x : piece) x = x > limit ? x : std::min(limit, std::ceil(x / limit * 100) / 100 * limit);
  }
  return out;
}

SloFigure figure_of(const std::vector<Series>& pieces, double limit, double level) {
  SloFigure out;
  for (const Series& piece : pieces) {
    out.n += piece.size();
    out.misses +=
        static_cast<std::size_t>(std::count_if(piece.begin(), piece.end(), [&](double x) { return x > limit; }));
  }
  if (out.n == 0) return out;
  const double n = static_cast<double>(out.n), good = static_cast<double>(out.n - out.misses);
  out.attainment = good / n;
  out.inflation = stats::clustering_inflation(coarse(pieces, limit), limit);
  out.effective_n = n / out.inflation;
  out.at_least = stats::attainment_at_least_of(good / out.inflation, out.effective_n, level).value_or(0);
  out.at_most = stats::attainment_at_most_of(good / out.inflation, out.effective_n, kFailLevel).value_or(1);
  return out;
}

/// Of each request, the latency that is furthest up in its limit, as a share of that limit: all hold where it is at
/// most 1.
std::vector<Series> worst_shares(std::span<const analyse::SloSample> pieces, std::span<const plan::Slo> slos) {
  std::vector<Series> out;
  for (const analyse::SloSample& piece : pieces) {
    Series& worst = out.emplace_back(piece.size(), 0.0);
    for (std::size_t s = 0; s < slos.size(); ++s) {
      for (std::size_t i = 0; i < worst.size(); ++i)
        worst[i] = std::max(worst[i], piece.latencies[s][i] / to_seconds(slos[s].limit));
    }
  }
  return out;
}

bool is_significant(const std::optional<Growth>& growth) {
  return growth && growth->per_second > 0 && growth->p < kGrowthSignificance / 2;
}

StepDoubt doubt_of(const StepJudgement& step, const StepRule& rule) {
  for (const std::optional<Growth>& each : {step.first_token, step.end}) {
    if (!is_significant(each)) continue;
    if (!rule.is_open_loop && each->relative > kMostDrift) return StepDoubt::drifts;
    if (rule.is_open_loop && each->per_second > rule.least_growth && each->relative > kLeastRelative)
      return StepDoubt::queue_grows;
  }
  return StepDoubt::none;
}

StepVerdict verdict_of(const StepJudgement& step, std::span<const plan::Slo> slos) {
  if (step.doubt == StepDoubt::queue_grows) return StepVerdict::fails;
  bool holds = step.doubt == StepDoubt::none;
  for (std::size_t i = 0; i < slos.size(); ++i) {
    if (step.slos[i].at_most < slos[i].share) return StepVerdict::fails;
    holds = holds && step.slos[i].at_least >= slos[i].share;
  }
  return holds ? StepVerdict::holds : StepVerdict::undecided;
}

}  // namespace

std::string_view name_of(StepVerdict verdict) {
  constexpr std::array<std::string_view, 4> kNames{"holds", "fails", "undecided", "client_limited"};
  return kNames[static_cast<std::size_t>(verdict)];
}

std::string_view name_of(StepDoubt doubt) {
  constexpr std::array<std::string_view, 3> kNames{"none", "queue_grows", "drifts"};
  return kNames[static_cast<std::size_t>(doubt)];
}

std::optional<Growth> growth_of(std::span<const double> at, std::span<const double> latency) {
  Series times, values;
  for (std::size_t i = 0; i < latency.size(); ++i) {
    if (std::isnan(latency[i])) continue;
    times.push_back(at[i]);
    values.push_back(latency[i]);
  }
  const std::size_t windows = std::min(kMostWindows, values.size() / kFewestInWindow);
  if (windows < kFewestWindows) return std::nullopt;
  const std::size_t length = values.size() / windows, first = values.size() % windows;
  Series means;
  for (std::size_t w = 0; w < windows; ++w)
    means.push_back(stats::mean(std::span(values).subspan(first + w * length, length)).value_or(0));
  const auto trend = stats::mann_kendall(means);
  const auto slope = stats::theil_sen_slope(means);
  const double lasted = times.back() - times[first];
  if (!trend || !slope || !(lasted > 0)) return std::nullopt;
  Growth out;
  out.p = trend->p;
  out.per_second = *slope * static_cast<double>(windows) / lasted;
  std::nth_element(means.begin(), means.begin() + static_cast<std::ptrdiff_t>(windows / 2), means.end());
  const double level = means[windows / 2];
  if (level > 0) out.relative = *slope * static_cast<double>(windows) / level;
  return out;
}

StepJudgement judge_step(std::span<const analyse::SloSample> pieces, std::span<const plan::Slo> slos,
                         const StepRule& rule) {
  StepJudgement out;
  for (std::size_t s = 0; s < slos.size(); ++s) {
    std::vector<Series> series;
    for (const analyse::SloSample& piece : pieces) series.push_back(piece.latencies[s]);
    out.slos.push_back(figure_of(series, to_seconds(slos[s].limit), rule.level));
  }
  out.joint = slos.size() == 1 ? out.slos.front() : figure_of(worst_shares(pieces, slos), 1.0, rule.level);
  const auto longest =
      std::max_element(pieces.begin(), pieces.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
  if (longest != pieces.end()) {
    out.first_token = growth_of(longest->at, longest->first_token);
    out.end = growth_of(longest->at, longest->end);
  }
  out.doubt = doubt_of(out, rule);
  out.verdict = verdict_of(out, slos);
  return out;
}

double fewest_to_show(double share) { return std::ceil(std::log(1 - kFailLevel) / std::log(share)); }

}  // namespace scoville::decide
