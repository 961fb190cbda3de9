#include "analyse/goodput.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "stats/attainment.hpp"
#include "stats/autocorrelation.hpp"
#include "stats/batch_means.hpp"
#include "stats/fan_out.hpp"

namespace scoville::analyse {
namespace {

std::optional<double> seconds(std::optional<Nanos> span) {
  if (!span) return std::nullopt;
  return to_seconds(*span);
}

std::optional<double> between(Moment from, Moment to) {
  if (!from || !to) return std::nullopt;
  return to_seconds(*to - *from);
}

constexpr double kLevel = 0.95;
constexpr double kLeastEffectiveShare = 0.5;  // of n: below, the exact interval would promise too much
constexpr double kMostBatchMemory = 0.3;      // r1 of the batches: above, they are too short to be independent

/// Good (1) and not good (0), in the order of issue.
std::vector<double> good_series(const Records& records, const std::vector<stats::Attempt>& attempts,
                                const stats::ServiceLimits& limits) {
  std::vector<std::size_t> order(records.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto issue = [&](std::size_t i) {
    const Moment zero = records[i]->zero() ? records[i]->zero() : records[i]->dequeued;
    return zero ? *zero : Instant{};
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return issue(a) < issue(b); });
  std::vector<double> out;
  out.reserve(order.size());
  for (const std::size_t i : order) out.push_back(stats::is_good(attempts[i], limits) ? 1 : 0);
  return out;
}

/// Bounds from batches, or none.
void put_batch_bounds(const std::vector<double>& series, GoodputFigure& out) {
  out.method = AttainmentMethod::none;
  const auto interval = stats::batch_mean_interval(series, kLevel);
  // One-sided 95 % is the lower end of two-sided 90 %.
  const auto one_sided = stats::batch_mean_interval(series, 2 * kLevel - 1);
  if (!interval || !one_sided || interval->batch_r1.value_or(0) > kMostBatchMemory) return;
  out.method = AttainmentMethod::batch_means;
  out.interval = stats::Interval{std::max(0.0, interval->lower), std::min(1.0, interval->upper)};
  out.at_least = std::max(0.0, one_sided->lower);
}

void put_bounds(const std::vector<double>& series, GoodputFigure& out) {
  out.effective_n = stats::effective_sample_size(series);
  if (out.effective_n && *out.effective_n < kLeastEffectiveShare * static_cast<double>(series.size()))
    return put_batch_bounds(series, out);
  out.interval = stats::attainment_interval(out.counts.good, out.counts.attempted, kLevel);
  out.at_least = stats::attainment_at_least(out.counts.good, out.counts.attempted, kLevel);
}

/// Share of applications in which all of `calls` are good.
double all_good(double each, std::uint64_t calls) {
  return 1 - stats::share_that_meets_a_tail(each, calls).value_or(1);
}

FanOut fan_out(const GoodputFigure& figure, std::uint64_t calls) {
  FanOut out;
  out.calls = calls;
  out.attainment = all_good(figure.counts.attainment, calls);
  if (figure.at_least) out.at_least = all_good(*figure.at_least, calls);
  out.each_needs = stats::share_each_call_needs(kFanOutTarget, calls).value_or(1);
  return out;
}

}  // namespace

std::string_view name_of(AttainmentMethod method) {
  switch (method) {
    case AttainmentMethod::clopper_pearson:
      return "clopper_pearson";
    case AttainmentMethod::batch_means:
      return "batch_means";
    case AttainmentMethod::none:
      return "none";
  }
  SCOVILLE_CHECK(false, "every method has a name");
}

std::optional<GoodputFigure> goodput(const Records& records, const plan::Limits& limits, Nanos issuing) {
  if (!limits.any()) return std::nullopt;
  std::vector<stats::Attempt> attempts;
  attempts.reserve(records.size());
  for (const event::RequestRecord* record : records) {
    stats::Attempt attempt;
    attempt.ok = record->succeeded();
    attempt.ttft = between(record->zero(), record->first_token);
    attempt.e2e = between(record->zero(), record->end);
    if (is_streamed(*record)) attempt.tpot = seconds(event::tpot(*record));
    if (!attempt.tpot && record->n_out == 1) attempt.tpot = 0;
    attempts.push_back(attempt);
  }
  const stats::ServiceLimits service{seconds(limits.ttft), seconds(limits.tpot), seconds(limits.e2e)};
  const auto counts = stats::measure_goodput(attempts, service, to_seconds(issuing));
  if (!counts) return std::nullopt;
  GoodputFigure out;
  out.limits = limits;
  out.counts = *counts;
  put_bounds(good_series(records, attempts, service), out);
  for (const std::uint64_t calls : kFanOutCalls) out.fan_out.push_back(fan_out(out, calls));
  return out;
}

}  // namespace scoville::analyse
