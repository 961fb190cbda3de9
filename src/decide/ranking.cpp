#include "decide/ranking.hpp"

#include <algorithm>
#include <cmath>

#include "base/check.hpp"

namespace scoville::decide {
namespace {

bool is_better(const MetricComparison& of_candidate) {
  return of_candidate.verdict == stats::Verdict::faster ||
         of_candidate.verdict == stats::Verdict::faster_size_uncertain;
}
bool is_worse(const MetricComparison& of_candidate) {
  return of_candidate.verdict == stats::Verdict::slower ||
         of_candidate.verdict == stats::Verdict::slower_size_uncertain;
}

}  // namespace

std::size_t pairs_of(std::size_t arms) { return arms * (arms - 1) / 2; }

Ranking rank(const std::vector<Arm>& arms, const Gate& gate, const CompareOptions& options) {
  SCOVILLE_CHECK(options.primary.size() == 1, "a ranking is by one metric");
  Ranking out;
  out.metric = options.primary.front();
  out.family = pairs_of(arms.size());
  CompareOptions pairwise = options;
  pairwise.family = out.family;
  for (const Arm& arm : arms) out.arms.push_back({arm.name, 1, std::nullopt, {}, {}});
  for (std::size_t i = 0; i < arms.size(); ++i) {
    for (std::size_t j = i + 1; j < arms.size(); ++j) {
      const Comparison compared = compare(arms[i], arms[j], gate, pairwise);
      const MetricComparison* const metric = compared.find(out.metric);
      if (!metric) continue;
      out.arms[i].median = metric->base.median;
      out.arms[j].median = metric->candidate.median;
      Ranked &first = out.arms[i], &second = out.arms[j];
      if (is_better(*metric)) {
        first.better.push_back(second.name);
      } else if (is_worse(*metric)) {
        second.better.push_back(first.name);
      } else {
        first.tied.push_back(second.name);
        second.tied.push_back(first.name);
      }
      out.is_too_large = out.is_too_large || metric->reason == NoVerdict::family_too_large;
      out.pairs.push_back({first.name, second.name, *metric});
    }
  }
  for (Ranked& each : out.arms) each.rank = 1 + each.better.size();
  const Metric* const metric = find_metric(out.metric);
  std::stable_sort(out.arms.begin(), out.arms.end(), [&](const Ranked& a, const Ranked& b) {
    if (a.rank != b.rank) return a.rank < b.rank;
    if (!a.median || !b.median) return a.median.has_value() && !b.median.has_value();
    return metric->better == stats::Better::lower ? *a.median < *b.median : *a.median > *b.median;
  });
  return out;
}

}  // namespace scoville::decide
