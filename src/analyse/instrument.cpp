#include "analyse/instrument.hpp"

#include <algorithm>

#include "stats/quantile.hpp"

namespace scoville::analyse {
namespace {

using event::RequestRecord;

// docs/method.md: above these the instrument was the bottleneck, above half of them it is suspect.
constexpr double kBusyLimit = 0.90;
constexpr double kLateMergedLimit = 0.01;
constexpr double kStealLimit = 0.05;
constexpr Nanos kLeastSendLag = std::chrono::milliseconds(1);
constexpr double kSendLagOfTtft = 0.05;
constexpr std::size_t kFewestEventsForGap = 3;
constexpr std::int64_t kLagUnit = 1000;  // ns

Lag lag_of(std::vector<std::int64_t>& values) {
  if (values.empty()) return {};
  const auto pick = [&](double p) {
    const std::size_t rank = *stats::nearest_rank(values.size(), p) - 1;
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(rank), values.end());
    return Nanos(values[rank]);
  };
  const Nanos largest(*std::max_element(values.begin(), values.end()));
  return {pick(0.5), pick(0.99), largest};
}

Lag send_lag(const Records& records) {
  std::vector<std::int64_t> lags;
  lags.reserve(records.size());
  for (const RequestRecord* record : records) {
    if (!record->written || record->resends > 0) continue;  // a resend waited for the server's fault, not for us
    Moment from = record->due && !record->was_held ? record->due : record->dequeued;
    // Without a schedule the request may wait for its connection: the server's time, and in no latency.
    if (from && !record->due && record->connected) from = std::max(*from, *record->connected);
    if (from) lags.push_back((*record->written - *from).count());
  }
  return lag_of(lags);
}

/// Raises the verdict where `value` is above `limit`, or above half of it.
void hold(Instrument& out, std::optional<double> value, double limit, Doubt doubt) {
  if (!value || *value <= limit / 2) return;
  out.reasons.push_back(doubt);
  out.verdict = std::max(out.verdict, *value > limit ? Verdict::bottleneck : Verdict::suspect);
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  return verdict == Verdict::ok ? "ok" : verdict == Verdict::suspect ? "suspect" : "bottleneck";
}

std::string_view name_of(Doubt doubt) {
  switch (doubt) {
    case Doubt::drops:
      return "drops";
    case Doubt::send_lag:
      return "send_lag";
    case Doubt::loop_busy:
      return "loop_busy";
    case Doubt::late_merged:
      return "late_merged";
    case Doubt::steal:
      return "steal";
    case Doubt::client_resource:
      return "client_resource";
    case Doubt::not_recorded:
      return "not_recorded";
  }
  return "";
}

Nanos tolerable_send_lag(std::optional<Nanos> median_ttft) {
  const double share = median_ttft ? kSendLagOfTtft * static_cast<double>(median_ttft->count()) : 0;
  return std::max(kLeastSendLag, Nanos(static_cast<std::int64_t>(share)));
}

void ReadingPool::add(const event::RequestRecord& record, const std::vector<Nanos>& gaps) {
  // A stream whose median gap is 0 was merged before it reached us: nothing says how late we were.
  Nanos gap = Nanos::zero();
  const bool is_needed = std::any_of(record.tokens.begin(), record.tokens.end(),
                                     [](const event::TokenEvent& each) { return each.shares_read; });
  if (is_needed && record.tokens.size() >= kFewestEventsForGap && !gaps.empty()) {
    scratch_ = gaps;
    const auto middle = scratch_.begin() + static_cast<std::ptrdiff_t>(scratch_.size() / 2);
    std::nth_element(scratch_.begin(), middle, scratch_.end());
    gap = *middle;
  }
  for (const event::TokenEvent& each : record.tokens) {
    lags_.add((std::int64_t{each.read_lag_ns} + kLagUnit / 2) / kLagUnit);
    largest_ = std::max(largest_, each.read_lag_ns);
    if (!each.shares_read) continue;
    ++merged_;
    if (gap > Nanos::zero() && Nanos(each.read_lag_ns) > gap / 2) ++late_;
  }
}

Lag ReadingPool::read_lag() const {
  if (lags_.count() == 0) return {};
  return {Nanos(*lags_.quantile(0.5) * kLagUnit), Nanos(*lags_.quantile(0.99) * kLagUnit), Nanos(largest_)};
}

std::optional<double> ReadingPool::late_merged_share() const {
  if (lags_.count() == 0) return std::nullopt;
  return static_cast<double>(late_) / static_cast<double>(lags_.count());
}

std::optional<double> ReadingPool::merged_share() const {
  if (lags_.count() == 0) return std::nullopt;
  return static_cast<double>(merged_) / static_cast<double>(lags_.count());
}

Instrument judge_instrument(const Records& records, const ReadingPool& reading, const ClientAccount& client,
                            std::optional<Nanos> median_ttft) {
  Instrument out;
  out.steal_share = client.steal_share;
  out.drops = client.drops;
  out.send_lag = send_lag(records);
  out.read_lag = reading.read_lag();
  out.late_merged_share = reading.late_merged_share();
  out.merged_share = reading.merged_share();
  Nanos busy{}, total{};
  for (const load::LoaderReport& loader : client.loaders) {
    for (const auto& second : loader.busy_seconds) {
      const double share = to_seconds(second.busy) / to_seconds(second.total);
      out.loop_busy_share = std::max(out.loop_busy_share.value_or(0), share);
      busy += second.busy;
      total += second.total;
    }
    out.queue_depth = std::max(out.queue_depth, loader.peak_waiting_for_connection);
    out.clock_steps = std::max(out.clock_steps, loader.clock_steps);
    out.has_kernel_stamps = out.has_kernel_stamps && loader.has_kernel_stamps;
    out.connections_opened += loader.connections_opened;
    out.cpu += loader.cpu;
  }
  if (total > Nanos::zero()) out.loop_busy_mean = to_seconds(busy) / to_seconds(total);

  if (out.drops > 0) {
    out.reasons.push_back(Doubt::drops);
    out.verdict = Verdict::bottleneck;
  }
  const bool lacks_resource = std::any_of(records.begin(), records.end(), [](const RequestRecord* record) {
    return record->failure == event::Failure::client_resource;
  });
  if (lacks_resource) {
    out.reasons.push_back(Doubt::client_resource);
    out.verdict = Verdict::bottleneck;
  }
  const auto lag = out.send_lag.p99 ? std::optional(to_seconds(*out.send_lag.p99)) : std::nullopt;
  hold(out, lag, to_seconds(tolerable_send_lag(median_ttft)), Doubt::send_lag);
  hold(out, out.loop_busy_share, kBusyLimit, Doubt::loop_busy);
  hold(out, out.late_merged_share, kLateMergedLimit, Doubt::late_merged);
  hold(out, out.steal_share, kStealLimit, Doubt::steal);
  if (client.loaders.empty()) {
    out.reasons.push_back(Doubt::not_recorded);
    out.verdict = std::max(out.verdict, Verdict::suspect);
  }
  return out;
}

}  // namespace scoville::analyse
