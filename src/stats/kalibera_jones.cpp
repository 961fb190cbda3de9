#include "stats/kalibera_jones.hpp"

#include <algorithm>
#include <cmath>

#include "stats/finite.hpp"

namespace scoville::stats {
namespace {

constexpr double kMostRepeats = 1e15;

RepeatBudget budget(double inner, double outer, double cost_ratio) {
  if (inner <= 0) return {0.0, 1};
  if (outer <= 0) return {};
  const auto exact = if_finite(std::sqrt(cost_ratio * (inner / outer)));
  if (!exact || *exact > kMostRepeats) return {};
  // A whole number on paper may come out a hair above it.
  return {exact, static_cast<std::uint64_t>(std::max(1.0, std::ceil(*exact * (1 - 1e-12))))};
}

}  // namespace

std::optional<std::vector<double>> added_variances(std::span<const double> variances,
                                                   std::span<const std::uint64_t> repeats) {
  if (variances.empty() || repeats.size() + 1 < variances.size() || !all_finite(variances)) return std::nullopt;
  if (std::ranges::any_of(variances, [](double variance) { return variance < 0; })) return std::nullopt;
  if (std::ranges::any_of(repeats, [](std::uint64_t count) { return count == 0; })) return std::nullopt;
  std::vector<double> added{variances[0]};
  for (std::size_t i = 1; i < variances.size(); ++i) {
    added.push_back(variances[i] - variances[i - 1] / static_cast<double>(repeats[i - 1]));
  }
  return added;
}

std::optional<std::vector<RepeatBudget>> repeat_budget(std::span<const double> added_variances,
                                                       std::span<const double> costs) {
  if (added_variances.size() < 2 || costs.size() != added_variances.size()) return std::nullopt;
  if (!all_finite(added_variances) || !all_finite(costs)) return std::nullopt;
  if (std::ranges::any_of(costs, [](double cost) { return cost <= 0; })) return std::nullopt;
  std::vector<RepeatBudget> budgets;
  for (std::size_t i = 0; i + 1 < costs.size(); ++i) {
    budgets.push_back(budget(added_variances[i], added_variances[i + 1], costs[i + 1] / costs[i]));
  }
  return budgets;
}

}  // namespace scoville::stats
