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

template <class T>
Lag lag_of(std::vector<T>& values) {
  if (values.empty()) return {};
  const auto pick = [&](double p) {
    const std::size_t rank = *stats::nearest_rank(values.size(), p) - 1;
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(rank), values.end());
    return Nanos(static_cast<std::int64_t>(values[rank]));
  };
  const Nanos largest(static_cast<std::int64_t>(*std::max_element(values.begin(), values.end())));
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

struct Merging {
  std::size_t events = 0, late = 0, merged = 0;
  std::vector<std::uint32_t> read_lags;
};

Nanos median_gap(const RequestRecord& record) {
  std::vector<Nanos> gaps = event::chunk_gaps(record);
  const auto middle = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2);
  std::nth_element(gaps.begin(), middle, gaps.end());
  return *middle;
}

Merging merging(const Records& records) {
  Merging found;
  std::size_t count = 0;
  for (const RequestRecord* record : records) count += record->tokens.size();
  found.read_lags.reserve(count);
  for (const RequestRecord* record : records) {
    // A stream whose median gap is 0 was merged before it reached us: nothing says how late we were.
    const bool has_gaps = record->tokens.size() >= kFewestEventsForGap;
    const Nanos gap = has_gaps ? median_gap(*record) : Nanos::zero();
    for (const event::TokenEvent& each : record->tokens) {
      found.read_lags.push_back(each.read_lag_ns);
      if (!each.shares_read) continue;
      ++found.merged;
      if (gap > Nanos::zero() && Nanos(each.read_lag_ns) > gap / 2) ++found.late;
    }
  }
  found.events = found.read_lags.size();
  return found;
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
  }
  return "";
}

Nanos tolerable_send_lag(std::optional<Nanos> median_ttft) {
  const double share = median_ttft ? kSendLagOfTtft * static_cast<double>(median_ttft->count()) : 0;
  return std::max(kLeastSendLag, Nanos(static_cast<std::int64_t>(share)));
}

Instrument judge_instrument(const Records& records, const std::vector<load::LoaderReport>& loaders,
                            std::optional<double> steal, std::optional<Nanos> median_ttft) {
  Instrument out;
  out.steal_share = steal;
  out.send_lag = send_lag(records);
  Merging events = merging(records);
  out.read_lag = lag_of(events.read_lags);
  if (events.events > 0) {
    out.late_merged_share = static_cast<double>(events.late) / static_cast<double>(events.events);
    out.merged_share = static_cast<double>(events.merged) / static_cast<double>(events.events);
  }
  Nanos busy{}, total{};
  for (const load::LoaderReport& loader : loaders) {
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
  return out;
}

}  // namespace scoville::analyse
