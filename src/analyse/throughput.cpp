#include "analyse/throughput.hpp"

namespace scoville::analyse {
namespace {

/// The share of a request's time, from its write to its end, that lies in the window: all of it for the whole run.
/// Counting ends alone would leave the last batch of a closed loop out of its steady part.
double share_within(const event::RequestRecord& record, const Window& window) {
  const Instant from = record.written ? *record.written : *record.end;
  const Nanos length = *record.end - from;
  if (length <= Nanos::zero()) return *record.end >= window.from && *record.end <= window.to ? 1 : 0;
  const Nanos inside = std::min(*record.end, window.to) - std::max(from, window.from);
  return inside > Nanos::zero() ? to_seconds(inside) / to_seconds(length) : 0;
}

/// Token events are kept to 1 µs, ends to the nanosecond: the last token of a run may seem to come after its end.
constexpr Nanos kGrid = std::chrono::microseconds(1);

}  // namespace

double tokens_within(const event::RequestRecord& record, const Window& window) {
  double inside = 0;
  for_each_arrival(record, [&](Instant at, double tokens) {
    if (at >= window.from - kGrid && at <= window.to + kGrid) inside += tokens;
  });
  return inside;
}

void ThroughputSums::add(const event::RequestRecord& record) {
  add(record, full_, in_full_);
  if (steady_) add(record, *steady_, in_steady_);
}

void ThroughputSums::add(const event::RequestRecord& record, const Window& window, Sums& sums) {
  if (!record.succeeded() || !record.end) return;
  sums.requests += share_within(record, window);
  const Moment first = record.first_token ? record.first_token : record.end;
  if (*first >= window.from && *first <= window.to) {
    sums.prompt += static_cast<double>(record.prompt_tokens.value_or(0));
    sums.knows_prompt = sums.knows_prompt && record.prompt_tokens.has_value();
  }
  if (!record.makes_tokens()) {
    sums.makes_tokens = false;
    return;
  }
  sums.output += tokens_within(record, window);
  sums.knows_output = sums.knows_output && has_credible_count(record);
}

Throughput ThroughputSums::rates() const {
  Throughput out;
  const auto put = [&](const Window& window, const Sums& sums, std::optional<double> Rate::*slot) {
    const double seconds = to_seconds(window.length());
    if (seconds <= 0) return;
    out.requests_per_s.*slot = sums.requests / seconds;
    if (sums.knows_output && sums.makes_tokens) out.output_tokens_per_s.*slot = sums.output / seconds;
    if (sums.knows_output && sums.knows_prompt) out.total_tokens_per_s.*slot = (sums.output + sums.prompt) / seconds;
  };
  put(full_, in_full_, &Rate::full);
  if (steady_) put(*steady_, in_steady_, &Rate::steady);
  return out;
}

}  // namespace scoville::analyse
