#include "stats/holm.hpp"

#include <algorithm>
#include <numeric>

namespace scoville::stats {
namespace {

std::optional<std::vector<std::size_t>> ascending(std::span<const double> p) {
  if (!std::ranges::all_of(p, [](double each) { return each >= 0 && each <= 1; })) return std::nullopt;
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return p[i]; });
  return order;
}

}  // namespace

std::optional<std::vector<double>> holm_adjusted(std::span<const double> p) {
  const auto order = ascending(p);
  if (!order) return std::nullopt;
  std::vector<double> adjusted(p.size());
  double so_far = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    so_far = std::max(so_far, std::min(1.0, static_cast<double>(p.size() - i) * p[(*order)[i]]));
    adjusted[(*order)[i]] = so_far;
  }
  return adjusted;
}

std::optional<std::vector<double>> benjamini_hochberg_adjusted(std::span<const double> p) {
  const auto order = ascending(p);
  if (!order) return std::nullopt;
  std::vector<double> adjusted(p.size());
  double so_far = 1;
  for (std::size_t i = p.size(); i > 0; --i) {
    const std::size_t at = (*order)[i - 1];
    so_far = std::min(so_far, static_cast<double>(p.size()) * p[at] / static_cast<double>(i));
    adjusted[at] = so_far;
  }
  return adjusted;
}

std::optional<double> family_interval_level(double alpha, std::size_t m) {
  if (!(alpha > 0 && alpha < 1) || m == 0) return std::nullopt;
  return 1 - alpha / static_cast<double>(m);
}

std::optional<std::size_t> largest_family(double smallest_p, double alpha) {
  if (!(smallest_p > 0 && smallest_p <= 1) || !(alpha > 0 && alpha < 1)) return std::nullopt;
  const double room = alpha / smallest_p * (1 + 1e-12);  // a whole number on paper may come out a hair below it
  constexpr double kMost = 1e15;
  return static_cast<std::size_t>(std::min(room, kMost));
}

}  // namespace scoville::stats
