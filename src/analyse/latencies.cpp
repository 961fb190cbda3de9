#include "analyse/latencies.hpp"

namespace scoville::analyse {
namespace {

using event::Failure;
using event::RequestRecord;

Moment zero_of(const RequestRecord& record, Zero zero) {
  return zero == Zero::written ? record.written : record.zero();
}

bool timed_out(const RequestRecord& record) {
  return record.failure == Failure::timeout_idle || record.failure == Failure::timeout_request;
}

/// Spans from zero to a moment of each request.
template <class Pick>
std::vector<Sample> spans(const Records& records, Zero zero, Pick pick) {
  std::vector<Sample> samples;
  samples.reserve(records.size());
  for (const RequestRecord* record : records) {
    const Moment from = zero_of(*record, zero);
    if (!from) continue;
    if (record->succeeded()) {
      if (const Moment to = pick(*record)) samples.push_back({*to - *from, false});
    } else if (timed_out(*record)) {
      const Moment to = pick(*record);
      if (to) {
        samples.push_back({*to - *from, false});
      } else if (record->failed_at) {
        samples.push_back({*record->failed_at - *from, true});
      }
    }
  }
  return samples;
}

}  // namespace

bool has_credible_count(const RequestRecord& record) {
  return record.n_out.has_value() && !record.flags.has(event::Flag::usage_differs);
}

bool is_streamed(const RequestRecord& record) {
  return !record.flags.has(event::Flag::not_streamed) && !record.flags.has(event::Flag::burst_stream);
}

std::vector<Sample> ttft(const Records& records, Zero zero) {
  return spans(records, zero, [](const RequestRecord& r) { return is_streamed(r) ? r.first_token : Moment(); });
}

std::vector<Sample> ttfa(const Records& records, Zero zero) {
  return spans(records, zero, [](const RequestRecord& r) { return is_streamed(r) ? r.first_answer : Moment(); });
}

std::vector<Sample> e2e(const Records& records, Zero zero) {
  return spans(records, zero, [](const RequestRecord& r) { return r.succeeded() ? r.end : Moment(); });
}

std::vector<Sample> tpot(const Records& records) {
  std::vector<Sample> samples;
  for (const RequestRecord* record : records) {
    if (!record->succeeded() || !is_streamed(*record) || !has_credible_count(*record)) continue;
    if (const auto span = event::tpot(*record)) samples.push_back({*span, false});
  }
  return samples;
}

std::vector<Sample> ntpot(const Records& records) {
  std::vector<Sample> samples;
  for (const RequestRecord* record : records) {
    const Moment zero = record->zero();
    if (!record->succeeded() || !record->end || !zero || record->n_out.value_or(0) < 1 || !has_credible_count(*record))
      continue;
    samples.push_back({(*record->end - *zero) / *record->n_out, false});
  }
  return samples;
}

}  // namespace scoville::analyse
