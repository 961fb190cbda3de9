#include "decide/bad_shapes.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "stats/holm.hpp"
#include "stats/mann_whitney.hpp"

namespace scoville::decide {
namespace {

constexpr double kMedian = 0.5;
constexpr std::size_t kFewest = 6;  // an interval of the median at 95 % begins there

using Values = std::vector<double>;

/// Per token, ascending, by length.
std::map<std::uint32_t, Values> by_length(std::span<const LengthSample> samples) {
  std::map<std::uint32_t, Values> out;
  for (const LengthSample& each : samples) {
    for (const double ttft : each.ttft_s) out[each.tokens].push_back(ttft / each.tokens);
  }
  for (auto& [tokens, values] : out) std::sort(values.begin(), values.end());
  return out;
}

LengthVerdict described(std::uint32_t tokens, const Values& values) {
  LengthVerdict out;
  out.tokens = tokens;
  out.n = values.size();
  out.per_token_s = stats::nearest_rank_quantile(values, kMedian);
  out.interval = stats::quantile_interval(values, kMedian);
  return out;
}

/// Against the neighbours, before anything is adjusted: 1 where they disagree, or where the median is not beyond both
/// intervals.
double p_of(LengthVerdict& at, const LengthVerdict& left, const LengthVerdict& right, const Values& values,
            const Values& before, const Values& after) {
  const double median = *at.per_token_s;
  const bool is_slow = median > left.interval->upper && median > right.interval->upper;
  const bool is_fast = median < left.interval->lower && median < right.interval->lower;
  if (!is_slow && !is_fast) return 1;
  const double nearer =
      is_slow ? std::max(*left.per_token_s, *right.per_token_s) : std::min(*left.per_token_s, *right.per_token_s);
  if (nearer > 0) at.excess = median / nearer - 1;
  const auto one = stats::rank_sum_test(before, values), other = stats::rank_sum_test(after, values);
  if (!one || !other) return 1;
  const bool agree =
      is_slow ? one->cliffs_delta > 0 && other->cliffs_delta > 0 : one->cliffs_delta < 0 && other->cliffs_delta < 0;
  return agree ? std::max(one->p, other->p) : 1;
}

}  // namespace

std::string_view name_of(LengthStanding standing) {
  constexpr std::array<std::string_view, 5> kNames{"inside", "slow", "fast", "edge", "few"};
  return kNames[static_cast<std::size_t>(standing)];
}

std::vector<LengthVerdict> judge_lengths(std::span<const LengthSample> samples, double alpha) {
  std::vector<LengthVerdict> out;
  std::vector<Values> values;
  for (auto& [tokens, of_length] : by_length(samples)) {
    out.push_back(described(tokens, of_length));
    values.push_back(of_length);
  }
  std::vector<std::size_t> tested;
  std::vector<double> p;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const bool is_edge = i == 0 || i + 1 == out.size();
    const bool has_all = !is_edge && out[i].interval && out[i - 1].interval && out[i + 1].interval;
    out[i].standing = is_edge ? LengthStanding::edge : has_all ? LengthStanding::inside : LengthStanding::few;
    if (!has_all) continue;
    tested.push_back(i);
    p.push_back(p_of(out[i], out[i - 1], out[i + 1], values[i], values[i - 1], values[i + 1]));
  }
  const auto adjusted = stats::holm_adjusted(p);
  for (std::size_t t = 0; adjusted && t < tested.size(); ++t) {
    LengthVerdict& each = out[tested[t]];
    each.p = (*adjusted)[t];
    if (*each.p > alpha || !each.excess) continue;
    each.standing = *each.excess > 0 ? LengthStanding::slow : LengthStanding::fast;
  }
  return out;
}

std::size_t requests_for_lengths(std::size_t lengths, double alpha) {
  std::size_t n = kFewest;
  while (n < stats::kMostCompared / 2 &&
         static_cast<double>(std::max<std::size_t>(lengths, 1)) * stats::smallest_rank_sum_p(n, n) > alpha)
    ++n;
  return n;
}

}  // namespace scoville::decide
