#include "decide/sweep.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>

#include "stats/pareto.hpp"
#include "stats/quantile.hpp"

namespace scoville::decide {
namespace {

using stats::TradeOff;

template <class Of>
std::optional<double> median_of(const std::vector<SweepRun>& runs, Of of) {
  std::vector<double> values;
  for (const SweepRun& each : runs) {
    const std::optional<double> value = of(each);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  std::sort(values.begin(), values.end());
  return stats::linear_quantile(values, 0.5);
}

bool any_run(const SweepPoint& point, const std::function<bool(const SweepRun&)>& holds) {
  return std::any_of(point.runs.begin(), point.runs.end(), holds);
}

bool is_length(const std::string& axis) { return axis == "input-len" || axis == "output-len"; }

Choices lengths_of(const SweepPoint& point) {
  Choices out;
  for (const auto& each : point.load) {
    if (is_length(each.first)) out.push_back(each);
  }
  return out;
}

Standing standing_of(std::size_t a, std::size_t b, std::span<const SettingsPair> pairs) {
  for (const SettingsPair& each : pairs) {
    if ((each.a == a && each.b == b) || (each.a == b && each.b == a)) return each.standing;
  }
  return Standing::together;
}

/// Each combination joins the first group with all of whose members it may be ranked.
std::vector<std::vector<std::size_t>> groups_of(std::size_t settings, std::span<const SettingsPair> pairs) {
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t s = 0; s < settings; ++s) {
    const auto fits = std::find_if(groups.begin(), groups.end(), [&](const std::vector<std::size_t>& group) {
      return std::all_of(group.begin(), group.end(),
                         [&](std::size_t member) { return ranks_together(standing_of(member, s, pairs)); });
    });
    if (fits == groups.end()) {
      groups.push_back({s});
    } else {
      fits->push_back(s);
    }
  }
  return groups;
}

/// To three digits, as a person reads it: what differs less is noise, and must not put a point on a frontier.
double shown(double value) {
  if (value <= 0) return value;
  const double unit = std::pow(10, std::floor(std::log10(value)) - 2);
  return std::round(value / unit) * unit;
}

/// Points with their places, so that an answer about the former names the latter.
struct Placed {
  std::vector<TradeOff> exact, values;  ///< as measured; to three digits
  std::vector<std::size_t> places;
};

Placed placed(std::span<const SweepPoint> points, const std::function<bool(const SweepPoint&)>& belongs,
              const std::function<std::optional<double>(const SweepPoint&)>& y) {
  Placed out;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!belongs(points[i]) || out_of_frontier(points[i]) != OutOfFrontier::none) continue;
    out.exact.push_back({figures_of(points[i]).user_rate.value_or(0), y(points[i]).value_or(0)});
    out.values.push_back({shown(out.exact.back().x), shown(out.exact.back().y)});
    out.places.push_back(i);
  }
  return out;
}

ReadOut read_at(double at, const Placed& all, const std::vector<std::size_t>& settings,
                const std::vector<Placed>& each) {
  ReadOut out;
  out.at = at;
  if (const auto best = stats::best_at(all.values, at)) out.best = all.places[*best];
  for (std::size_t s = 0; s < settings.size(); ++s) {
    SettingsAt one{settings[s], std::nullopt, stats::ratio_at(each.front().exact, each[s].exact, at)};
    if (const auto best = stats::best_at(each[s].values, at)) one.point = each[s].places[*best];
    out.each.push_back(one);
  }
  return out;
}

}  // namespace

std::string_view name_of(PointState state) {
  constexpr std::array<std::string_view, 4> kNames{"pending", "measured", "not_started", "engine_ended"};
  return kNames[static_cast<std::size_t>(state)];
}

std::string_view name_of(OutOfFrontier reason) {
  constexpr std::array<std::string_view, 7> kNames{"none",        "not_measured", "client_limited", "failures",
                                                   "queue_grows", "drifts",       "unknown"};
  return kNames[static_cast<std::size_t>(reason)];
}

std::string_view name_of(Standing standing) {
  constexpr std::array<std::string_view, 5> kNames{"together", "gate_passed", "precision_without_accuracy",
                                                   "accuracy_failed", "other_model"};
  return kNames[static_cast<std::size_t>(standing)];
}

bool ranks_together(Standing standing) { return standing == Standing::together || standing == Standing::gate_passed; }

OutOfFrontier out_of_frontier(const SweepPoint& point) {
  if (point.state != PointState::measured || point.runs.empty()) return OutOfFrontier::not_measured;
  if (any_run(point, [](const SweepRun& run) { return run.is_client_limited; })) return OutOfFrontier::client_limited;
  if (any_run(point, [](const SweepRun& run) { return run.failed > 0; })) return OutOfFrontier::failures;
  if (any_run(point, [](const SweepRun& run) { return run.queue_grows; })) return OutOfFrontier::queue_grows;
  if (any_run(point, [](const SweepRun& run) { return run.drifts; })) return OutOfFrontier::drifts;
  const PointFigures figures = figures_of(point);
  return figures.user_rate && figures.output_per_s ? OutOfFrontier::none : OutOfFrontier::unknown;
}

PointFigures figures_of(const SweepPoint& point) {
  PointFigures out;
  const auto median = [&](auto of) { return median_of(point.runs, of); };
  out.output_per_s = median([](const SweepRun& run) { return run.output_per_s; });
  out.requests_per_s = median([](const SweepRun& run) { return run.requests_per_s; });
  out.good_per_s = median([](const SweepRun& run) { return run.good_per_s; });
  out.user_rate = median([](const SweepRun& run) {
    return run.tpot_s && *run.tpot_s > 0 ? std::optional<double>(1 / *run.tpot_s) : std::nullopt;
  });
  out.ttft_p50_s = median([](const SweepRun& run) { return run.ttft_p50_s; });
  out.ttft_p95_s = median([](const SweepRun& run) { return run.ttft_p95_s; });
  out.e2e_p50_s = median([](const SweepRun& run) { return run.e2e_p50_s; });
  out.e2e_p95_s = median([](const SweepRun& run) { return run.e2e_p95_s; });
  for (const SweepRun& each : point.runs) out.attempted += each.attempted, out.failed += each.failed;
  return out;
}

std::optional<double> throughput_of(const SweepPoint& point, std::span<const std::optional<int>> devices,
                                    bool is_per_device) {
  const std::optional<double> all = figures_of(point).output_per_s;
  if (!all || !is_per_device) return all;
  const std::optional<int>& count = devices[point.settings];
  return count && *count > 0 ? std::optional(*all / *count) : std::nullopt;
}

SweepOutcome judge_sweep(std::span<const SweepPoint> points, std::span<const std::optional<int>> devices,
                         std::span<const SettingsPair> pairs, std::span<const double> at) {
  SweepOutcome out;
  out.is_per_device = std::all_of(points.begin(), points.end(), [&](const SweepPoint& point) {
    return point.runs.empty() || devices[point.settings].value_or(0) > 0;
  });
  std::vector<Choices> lengths;
  for (const SweepPoint& each : points) {
    Choices of_point = lengths_of(each);
    if (std::find(lengths.begin(), lengths.end(), of_point) == lengths.end()) lengths.push_back(std::move(of_point));
  }
  const auto y = [&](const SweepPoint& point) { return throughput_of(point, devices, out.is_per_device); };
  const auto groups = groups_of(devices.size(), pairs);
  for (const Choices& of_frontier : lengths) {
    for (const std::vector<std::size_t>& group : groups) {
      const auto is_here = [&](const SweepPoint& point) {
        return lengths_of(point) == of_frontier && std::find(group.begin(), group.end(), point.settings) != group.end();
      };
      const Placed all = placed(points, is_here, y);
      std::vector<Placed> each;
      for (const std::size_t settings : group)
        each.push_back(placed(
            points, [&](const SweepPoint& point) { return point.settings == settings && is_here(point); }, y));
      SweepFrontier frontier{of_frontier, group, {}, stats::hypervolume(all.values), {}};
      for (const std::size_t place : stats::frontier(all.values).value_or(std::vector<std::size_t>()))
        frontier.on.push_back(all.places[place]);
      for (const double x : at) frontier.read.push_back(read_at(x, all, group, each));
      out.frontiers.push_back(std::move(frontier));
    }
  }
  return out;
}

}  // namespace scoville::decide
