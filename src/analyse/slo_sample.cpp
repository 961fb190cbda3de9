#include "analyse/slo_sample.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace scoville::analyse {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// A request that never had a zero (no connection could be made) counts from when it was taken up, or given up.
Instant issue_of(const event::RequestRecord& record) {
  for (const Moment each : {record.zero(), record.dequeued, record.failed_at}) {
    if (each) return *each;
  }
  return {};
}

std::optional<double> since_zero(const event::RequestRecord& record, Moment to) {
  if (!record.zero() || !to) return std::nullopt;
  return to_seconds(*to - *record.zero());
}

std::optional<double> latency_of(const event::RequestRecord& record, plan::SloMetric metric) {
  if (!record.succeeded()) return std::nullopt;
  switch (metric) {
    case plan::SloMetric::ttft:
      return is_streamed(record) ? since_zero(record, record.first_token) : std::nullopt;
    case plan::SloMetric::ttfa:
      return is_streamed(record) ? since_zero(record, record.first_answer) : std::nullopt;
    case plan::SloMetric::e2e:
      return since_zero(record, record.end);
    case plan::SloMetric::tpot:
      break;
  }
  if (record.n_out == 1) return 0;
  const auto tpot = is_streamed(record) && has_credible_count(record) ? event::tpot(record) : std::nullopt;
  if (!tpot) return std::nullopt;
  return to_seconds(*tpot);
}

template <class Value>
std::vector<Value> tail(const std::vector<Value>& all, std::size_t from) {
  return {all.begin() + static_cast<std::ptrdiff_t>(std::min(from, all.size())), all.end()};
}

}  // namespace

SloSample SloSample::without_first(std::size_t count) const {
  SloSample out{tail(at, count), {}, tail(first_token, count), tail(end, count)};
  for (const std::vector<double>& each : latencies) out.latencies.push_back(tail(each, count));
  return out;
}

SloSample slo_sample(const Records& records, std::span<const plan::Slo> slos) {
  Records order = records;
  std::stable_sort(order.begin(), order.end(),
                   [](const auto* a, const auto* b) { return issue_of(*a) < issue_of(*b); });
  SloSample out;
  out.latencies.resize(slos.size());
  for (const event::RequestRecord* record : order) {
    out.at.push_back(to_seconds(issue_of(*record) - issue_of(*order.front())));
    for (std::size_t i = 0; i < slos.size(); ++i)
      out.latencies[i].push_back(latency_of(*record, slos[i].metric).value_or(kNever));
    const bool counts = record->succeeded();
    out.first_token.push_back(counts ? since_zero(*record, record->first_token).value_or(kUnknown) : kUnknown);
    out.end.push_back(counts ? since_zero(*record, record->end).value_or(kUnknown) : kUnknown);
  }
  return out;
}

}  // namespace scoville::analyse
