#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "analyse/latencies.hpp"

namespace scoville::analyse {

// For tests: requests made from the times at which things happened, in ms since the start of the run.

inline Nanos ms(double millis) { return Nanos(std::llround(millis * 1e6)); }
inline Instant at_ms(double millis) { return Instant(ms(millis)); }

/// A success on a connection of its own: written, token events, end. One token an event unless a test says otherwise.
inline event::RequestRecord answered(double written, const std::vector<double>& tokens, double end) {
  event::RequestRecord record;
  record.dequeued = record.connected = record.written = at_ms(written);
  record.headers = record.first_byte = at_ms(tokens.empty() ? end : tokens.front());
  for (const double each : tokens) {
    event::TokenEvent token;
    token.at = at_ms(each);
    record.tokens.push_back(token);
  }
  if (!tokens.empty()) {
    record.first_token = record.first_answer = record.first_chunk = at_ms(tokens.front());
    record.last_token = record.last_chunk = at_ms(tokens.back());
  }
  record.end = at_ms(end);
  record.http_status = 200;
  record.finish_reason = "length";
  record.n_out = static_cast<std::int64_t>(tokens.size());
  record.n_out_source = event::CountSource::usage;
  return record;
}

/// A request that failed, or was given up, at `failed`.
inline event::RequestRecord failure(double written, double failed, event::Failure why) {
  event::RequestRecord record;
  record.dequeued = record.connected = record.written = at_ms(written);
  record.failed_at = at_ms(failed);
  record.failure = why;
  return record;
}

/// `count` times from `first` on, `gap` apart.
inline std::vector<double> every(double gap, std::size_t count, double first) {
  std::vector<double> times;
  for (std::size_t i = 0; i < count; ++i) times.push_back(first + gap * static_cast<double>(i));
  return times;
}

template <class... Record>
std::vector<event::RequestRecord> list_of(Record... records) {
  std::vector<event::RequestRecord> list;
  (list.push_back(std::move(records)), ...);
  return list;
}

inline Records pointers(const std::vector<event::RequestRecord>& records) {
  Records list;
  for (const event::RequestRecord& each : records) list.push_back(&each);
  return list;
}

/// A pool with all of `records` in it. Those that want the gaps are given them.
template <class Pool>
Pool filled(Pool pool, const std::vector<event::RequestRecord>& records) {
  for (const event::RequestRecord& each : records) {
    if constexpr (requires { pool.add(each); }) {
      pool.add(each);
    } else {
      pool.add(each, event::chunk_gaps(each));
    }
  }
  return pool;
}

}  // namespace scoville::analyse
