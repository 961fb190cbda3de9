#include "analyse/throughput.hpp"

namespace scoville::analyse {
namespace {

struct Sums {
  double requests = 0, output = 0, prompt = 0;
  bool knows_output = true, knows_prompt = true;
};

/// The share of a request's time, from its write to its end, that lies in the window: all of it for the whole run.
/// Counting ends alone would leave the last batch of a closed loop out of its steady part.
double share_within(const event::RequestRecord& record, const Window& window) {
  const Instant from = record.written ? *record.written : *record.end;
  const Nanos length = *record.end - from;
  if (length <= Nanos::zero()) return *record.end >= window.from && *record.end <= window.to ? 1 : 0;
  const Nanos inside = std::min(*record.end, window.to) - std::max(from, window.from);
  return inside > Nanos::zero() ? to_seconds(inside) / to_seconds(length) : 0;
}

Sums within(const Records& records, const Window& window) {
  Sums sums;
  for (const event::RequestRecord* record : records) {
    if (!record->succeeded() || !record->end) continue;
    sums.requests += share_within(*record, window);
    const Moment first = record->first_token ? record->first_token : record->end;
    if (*first >= window.from && *first <= window.to) {
      sums.prompt += static_cast<double>(record->prompt_tokens.value_or(0));
      sums.knows_prompt = sums.knows_prompt && record->prompt_tokens.has_value();
    }
    sums.output += tokens_within(*record, window);
    sums.knows_output = sums.knows_output && has_credible_count(*record);
  }
  return sums;
}

void put(const Records& records, const Window& window, std::optional<double> Rate::*slot, Throughput& out) {
  const double seconds = to_seconds(window.length());
  if (seconds <= 0) return;
  const Sums sums = within(records, window);
  out.requests_per_s.*slot = sums.requests / seconds;
  if (sums.knows_output) out.output_tokens_per_s.*slot = sums.output / seconds;
  if (sums.knows_output && sums.knows_prompt) out.total_tokens_per_s.*slot = (sums.output + sums.prompt) / seconds;
}

}  // namespace

double tokens_within(const event::RequestRecord& record, const Window& window) {
  double inside = 0;
  for_each_arrival(record, [&](Instant at, double tokens) {
    if (at >= window.from && at <= window.to) inside += tokens;
  });
  return inside;
}

Throughput throughput(const Records& records, const Window& full, const std::optional<Window>& steady) {
  Throughput out;
  put(records, full, &Rate::full, out);
  if (steady) put(records, *steady, &Rate::steady, out);
  return out;
}

}  // namespace scoville::analyse
