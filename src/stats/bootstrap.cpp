#include "stats/bootstrap.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "stats/finite.hpp"
#include "stats/quantile.hpp"

namespace scoville::stats {
namespace {

constexpr std::size_t kMostReplicates = 10'000'000;

bool is_positive(std::span<const double> values) {
  return !values.empty() && all_finite(values) && std::ranges::all_of(values, [](double value) { return value > 0; });
}

double median_of_resample(std::span<const double> values, std::mt19937_64& generator, std::vector<double>& scratch) {
  scratch.clear();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double uniform = static_cast<double>(generator() >> 11) * 0x1p-53;
    scratch.push_back(values[static_cast<std::size_t>(uniform * static_cast<double>(values.size()))]);
  }
  std::ranges::sort(scratch);
  return *linear_quantile(scratch, 0.5);
}

}  // namespace

std::optional<BootstrapRatio> bootstrap_ratio(std::span<const double> base, std::span<const double> other,
                                              const BootstrapRule& rule) {
  if (!is_positive(base) || !is_positive(other) || !(rule.level > 0 && rule.level < 1)) return std::nullopt;
  if (rule.replicates == 0 || rule.replicates > kMostReplicates) return std::nullopt;
  std::mt19937_64 generator(rule.seed);
  std::vector<double> scratch, ratios;
  ratios.reserve(rule.replicates);
  for (std::size_t i = 0; i < rule.replicates; ++i) {
    const double below = median_of_resample(base, generator, scratch);
    ratios.push_back(median_of_resample(other, generator, scratch) / below);
  }
  if (!all_finite(ratios)) return std::nullopt;
  std::ranges::sort(ratios);
  const double tail = (1 - rule.level) / 2;
  return BootstrapRatio{*linear_quantile(ratios, tail), *linear_quantile(ratios, 0.5),
                        *linear_quantile(ratios, 1 - tail)};
}

}  // namespace scoville::stats
