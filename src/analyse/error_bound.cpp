#include "analyse/error_bound.hpp"

#include <algorithm>

#include "analyse/gap_pool.hpp"
#include "analyse/latencies.hpp"

namespace scoville::analyse {
namespace {

constexpr std::int64_t kUnit = 100;  // ns
constexpr double kP = 0.99;
constexpr Nanos kSecond = std::chrono::seconds(1);
// Arrivals behind the first are kept to 1 µs, and gaps are pooled to 1 µs: half of it for each of the three roundings.
constexpr Nanos kGapGrid = std::chrono::nanoseconds(1500);

void put(stats::CountingHistogram& where, Nanos span) { where.add((span.count() + kUnit - 1) / kUnit); }

std::optional<Nanos> p99(const stats::CountingHistogram& of) {
  const auto value = of.quantile(kP);
  return value ? std::optional(Nanos(*value * kUnit)) : std::nullopt;
}

}  // namespace

ErrorPool::ErrorPool(const Window& full)
    : full_(full), seconds_(static_cast<std::size_t>(std::max(Nanos::zero(), full.length()) / kSecond)) {}

void ErrorPool::add(const event::RequestRecord& record, bool counts) {
  for (const event::TokenEvent& each : record.tokens) {
    if (each.at < full_.from || each.at > full_.to) continue;
    ++events_;
    const auto second = static_cast<std::size_t>((each.at - full_.from) / kSecond);
    if (second < seconds_.size()) ++seconds_[second];
  }
  if (!counts || !record.succeeded()) return;
  put(zeros_, record.due ? Nanos::zero() : record.write_took);
  if (record.end) put(ends_, Nanos(record.end_width_ns));
  if (record.tokens.empty() || !is_streamed(record)) return;
  const Nanos first(record.tokens.front().width_ns), last(record.tokens.back().width_ns);
  put(firsts_, first);
  for (const Nanos both : event::chunk_gap_widths(record)) put(gaps_, both);
  if (!has_credible_count(record) || !event::tpot(record)) return;
  put(decodes_, first + last);
  divisors_.add(*record.n_out - record.k_first.value_or(1));
}

std::optional<double> ErrorPool::events_per_s() const {
  if (events_ == 0 || full_.length() <= Nanos::zero()) return std::nullopt;
  const double mean = static_cast<double>(events_) / to_seconds(full_.length());
  if (seconds_.empty()) return mean;
  return std::max(mean, static_cast<double>(*std::max_element(seconds_.begin(), seconds_.end())));
}

ErrorBound ErrorPool::bound(const Calibration* calibration, const CalibrationSetting& setting,
                            const Instrument& instrument) const {
  ErrorBound out;
  out.events_per_s = events_per_s();
  if (!calibration) return out;
  out.calibrated = calibration->made;
  out.reason = !out.events_per_s                                                   ? NoBound::no_events
               : instrument.verdict == Verdict::bottleneck                         ? NoBound::bottleneck
               : calibration->has_kernel_stamps() && !instrument.has_kernel_stamps ? NoBound::no_stamps
                                                                                   : NoBound::none;
  if (out.reason != NoBound::none) return out;
  const Calibration::Found found = calibration->lookup(*out.events_per_s, setting);
  out.reason = found.reason;
  out.arrival = found.error;
  if (!found.error) return out;
  const Nanos arrival = *found.error, zero = p99(zeros_).value_or(Nanos::zero());
  if (const auto width = p99(firsts_)) out.ttft = zero + *width + arrival;
  if (const auto width = p99(ends_)) out.e2e = zero + *width + arrival;
  if (const auto widths = p99(gaps_)) out.icl = *widths + 2 * arrival + kGapGrid;
  if (const auto widths = p99(decodes_)) out.tpot = (*widths + 2 * arrival) / *divisors_.quantile(0.5);
  return out;
}

}  // namespace scoville::analyse
