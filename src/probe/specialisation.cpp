#include "probe/specialisation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace scoville::probe {
namespace {

struct Share {
  double value;
  std::string shape;
};

double quantile(const std::vector<Share>& sorted, double p) {
  const double at = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below].value + (at - static_cast<double>(below)) * (sorted[above].value - sorted[below].value);
}

std::vector<Specialisation> summarised(std::map<std::string, std::vector<Share>>& by_type, const std::string& kind) {
  std::vector<Specialisation> all;
  for (auto& [dtype, shares] : by_type) {
    if (shares.size() < 2) continue;
    std::ranges::sort(shares, {}, &Share::value);
    all.push_back({dtype, kind, shares.size(), quantile(shares, 0.5), quantile(shares, 0.05), shares.front().shape,
                   shares.front().value});
  }
  return all;
}

bool is_family(const GemmPoint& one, const GemmPoint& other) {
  constexpr double kNear = 1.0 / 16;
  const bool is_labelled = other.label == "off tile" || other.label == "square";
  return is_labelled && one.dtype == other.dtype && one.batch == other.batch &&
         std::abs(one.m - other.m) <= kNear * one.m;
}

bool is_family(const AttentionPoint& one, const AttentionPoint& other) {
  return one.dtype == other.dtype && one.batch == other.batch && one.query_len == other.query_len &&
         one.kv_len == other.kv_len && one.is_causal == other.is_causal;
}

template <class P>
double best_of_family(const P& point, const std::vector<P>& points) {
  double best = 0;
  for (const P& each : points) {
    if (is_family(point, each)) best = std::max(best, rate(each).value_or(0));
  }
  return best;
}

}  // namespace

std::vector<Specialisation> gemm_specialisation(const std::vector<GemmPoint>& points) {
  std::map<std::string, std::vector<Share>> by_type;
  for (const GemmPoint& point : points) {
    const std::optional<double> speed = rate(point);
    if (point.label != "off tile" || !speed) continue;
    by_type[point.dtype].push_back(
        {*speed / best_of_family(point, points), fmt::format("{:.0f} x {:.0f} x {:.0f}", point.m, point.n, point.k)});
  }
  return summarised(by_type, "gemm");
}

std::vector<Specialisation> attention_specialisation(const std::vector<AttentionPoint>& points) {
  std::map<std::string, std::vector<Share>> by_type;
  for (const AttentionPoint& point : points) {
    const std::optional<double> speed = rate(point);
    if (!speed) continue;
    by_type[point.dtype].push_back(
        {*speed / best_of_family(point, points),
         fmt::format("{:.0f} heads of {:.0f}, {:.0f} key heads", point.heads, point.head_dim, point.kv_heads)});
  }
  return summarised(by_type, "attention");
}

}  // namespace scoville::probe
