#include "decide/workload.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace scoville::decide {
namespace {

using analyse::RunStatistics;
using analyse::Usage;

std::optional<double> mean_of(const Arm& arm, std::optional<double> RunStatistics::*figure) {
  double sum = 0;
  for (const ArmRun& run : arm.runs) {
    const std::optional<double>& value = run.statistics.*figure;
    if (!value) return std::nullopt;
    sum += *value;
  }
  if (arm.runs.empty()) return std::nullopt;
  return sum / static_cast<double>(arm.runs.size());
}

std::optional<double> relative(std::optional<double> base, std::optional<double> candidate) {
  if (!base || !candidate || *base <= 0) return std::nullopt;
  return *candidate / *base - 1;
}

/// Prompt by prompt: the median of the relative differences, of an even number the lower of the middle two.
std::optional<double> by_prompt(const std::vector<Usage>& base, const std::vector<Usage>& candidate) {
  std::map<std::uint64_t, std::int64_t> known;
  for (const Usage& each : base) known[each.index] = each.prompt_tokens;
  std::vector<double> differences;
  for (const Usage& each : candidate) {
    const auto same = known.find(each.index);
    if (same == known.end() || same->second <= 0) continue;
    differences.push_back(static_cast<double>(each.prompt_tokens) / static_cast<double>(same->second) - 1);
  }
  if (differences.empty()) return std::nullopt;
  const auto middle = differences.begin() + static_cast<std::ptrdiff_t>((differences.size() - 1) / 2);
  std::nth_element(differences.begin(), middle, differences.end());
  return *middle;
}

}  // namespace

WorkloadDifference workload_difference(const Arm& base, const Arm& candidate) {
  WorkloadDifference out;
  out.prompt = relative(mean_of(base, &RunStatistics::mean_prompt_tokens),
                        mean_of(candidate, &RunStatistics::mean_prompt_tokens));
  if (!base.runs.empty() && !candidate.runs.empty()) {
    const auto paired = by_prompt(base.runs.front().statistics.usage, candidate.runs.front().statistics.usage);
    if (paired && std::fabs(*paired) > std::fabs(out.prompt.value_or(0))) out.prompt = paired;
  }
  out.output = relative(mean_of(base, &RunStatistics::mean_output_tokens),
                        mean_of(candidate, &RunStatistics::mean_output_tokens));
  return out;
}

}  // namespace scoville::decide
