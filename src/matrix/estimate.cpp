#include "matrix/estimate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace scoville::matrix {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kMostRuns = 1e6;

struct Ends {
  double low, high;
};

Ends ends_of(const Estimate& estimate) {
  if (estimate.is_exact && estimate.value) return {*estimate.value, *estimate.value};
  return {estimate.low.value_or(-kInfinity), estimate.high.value_or(kInfinity)};
}

/// Times n by which the half interval on the side of `bound` has to shrink, squared; 1 where it lies outside of it.
double growth(const Estimate& estimate, const Ends& ends, double bound) {
  if (bound < ends.low || bound > ends.high) return 1;
  const double distance = std::abs(*estimate.value - bound);
  const double half = *estimate.value > bound ? *estimate.value - ends.low : ends.high - *estimate.value;
  return distance > 0 ? (half / distance) * (half / distance) : kInfinity;
}

std::optional<std::size_t> runs_needed(const Estimate& estimate, const Ends& ends, const Target& target) {
  if (!estimate.value || estimate.n == 0) return std::nullopt;
  double factor = 1;
  if (target.least) factor = std::max(factor, growth(estimate, ends, *target.least));
  if (target.most) factor = std::max(factor, growth(estimate, ends, *target.most));
  const double runs = std::ceil(static_cast<double>(estimate.n) * factor);
  if (!(runs <= kMostRuns)) return std::nullopt;
  return std::max(estimate.n + 1, static_cast<std::size_t>(runs));
}

Judgement from_interval(const Estimate& estimate, const Target& target) {
  const Ends ends = ends_of(estimate);
  const double least = target.least.value_or(-kInfinity), most = target.most.value_or(kInfinity);
  if (ends.low >= least && ends.high <= most) return {Verdict::pass, Reason::none, {}};
  if (ends.high < least || ends.low > most) return {Verdict::fail, Reason::none, {}};
  return {Verdict::inconclusive, Reason::straddles, runs_needed(estimate, ends, target)};
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  constexpr std::array<std::string_view, 4> kNames{"pass", "fail", "inconclusive", "untested"};
  return kNames[static_cast<std::size_t>(verdict)];
}

std::string_view name_of(Reason reason) {
  constexpr std::array<std::string_view, 8> kNames{"none",        "no_data",      "no_target",       "units_differ",
                                                   "no_interval", "too_few_runs", "too_few_samples", "straddles"};
  return kNames[static_cast<std::size_t>(reason)];
}

Judgement assess(const Estimate& estimate, const Target& target) {
  if (!estimate.has_data()) return {Verdict::untested, Reason::no_data, {}};
  if (!target.is_set()) return {Verdict::inconclusive, Reason::no_target, {}};
  if (!estimate.unit.empty() && !target.unit.empty() && estimate.unit != target.unit)
    return {Verdict::inconclusive, Reason::units_differ, {}};
  if (estimate.is_exact && estimate.value) return from_interval(estimate, target);
  if (estimate.n > 0 && estimate.n < target.least_n)
    return {Verdict::inconclusive, Reason::too_few_runs, target.least_n};
  if (estimate.samples && *estimate.samples < target.least_samples)
    return {Verdict::inconclusive, Reason::too_few_samples, target.least_samples};
  if (!estimate.low && !estimate.high) return {Verdict::inconclusive, Reason::no_interval, {}};
  return from_interval(estimate, target);
}

Verdict judge(const Estimate& estimate, const Target& target) { return assess(estimate, target).verdict; }

Verdict worse(Verdict a, Verdict b) {
  for (const Verdict each : {Verdict::fail, Verdict::untested, Verdict::inconclusive}) {
    if (a == each || b == each) return each;
  }
  return Verdict::pass;
}

}  // namespace scoville::matrix
