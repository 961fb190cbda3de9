#include "analyse/gap_pool.hpp"

#include <algorithm>
#include <cmath>

#include "analyse/latencies.hpp"

namespace scoville::analyse {
namespace {

constexpr std::int64_t kUnit = 1000;  // ns
constexpr double kLevel = 0.95;
constexpr double kFewestBeyondQuantile = 2;  // of a batch's gaps

std::int64_t in_units(Nanos gap) { return (gap.count() + kUnit / 2) / kUnit; }

}  // namespace

bool GapPool::may_count(const event::RequestRecord& record) {
  return record.succeeded() && is_streamed(record) && record.first_token;
}

void GapPool::add(const event::RequestRecord& record, const std::vector<Nanos>& gaps) {
  if (!may_count(record)) return;
  const std::size_t batch =
      std::min(batches_.size() - 1, seen_++ * batches_.size() / std::max<std::size_t>(1, expected_));
  if (gaps.empty()) return;
  ++requests_;
  for (const Nanos gap : gaps) {
    batches_[batch].add(in_units(gap));
    zeros_ += gap == Nanos::zero();
    sum_ += static_cast<double>(gap.count());
    smallest_ = std::min(smallest_.value_or(gap), gap);
    largest_ = std::max(largest_.value_or(gap), gap);
  }
}

std::optional<double> GapPool::zero_share() const {
  std::size_t n = 0;
  for (const auto& each : batches_) n += each.count();
  if (n == 0) return std::nullopt;
  return static_cast<double>(zeros_) / static_cast<double>(n);
}

Metric GapPool::metric(const std::vector<double>& quantiles) const {
  stats::CountingHistogram all;
  for (const auto& each : batches_) all.merge(each);
  Metric metric;
  metric.n = all.count();
  if (metric.n > 0) metric.mean = Nanos(std::llround(sum_ / static_cast<double>(metric.n)));
  metric.smallest = smallest_;
  metric.largest = largest_;
  const bool is_coalesced = zero_share().value_or(0) > kCoalescedLimit;
  for (const double p : quantiles) {
    Quantile quantile = begin_quantile(p, requests_);
    if (is_coalesced) {
      quantile.reason = NoInterval::coalesced;
    } else if (const auto value = all.quantile(p)) {
      quantile.value = Nanos(*value * kUnit);
      put_interval(quantile, static_cast<double>(*value * kUnit));
    }
    metric.quantiles.push_back(quantile);
  }
  return metric;
}

void GapPool::put_interval(Quantile& quantile, double whole) const {
  quantile.reason = NoInterval::pooled;
  std::vector<double> parts;
  for (const auto& each : batches_) {
    const double thin_side = std::min(quantile.p, 1 - quantile.p) * static_cast<double>(each.count());
    if (each.count() < stats::kFewestInBatch || thin_side < kFewestBeyondQuantile * (1 - 1e-9)) return;
    parts.push_back(static_cast<double>(*each.quantile(quantile.p) * kUnit));
  }
  put_batch_interval(quantile, stats::batch_interval(whole, parts, kLevel), NoInterval::pooled);
}

}  // namespace scoville::analyse
