#pragma once

#include <vector>

#include "analyse/quantiles.hpp"
#include "event/request_record.hpp"

namespace scoville::analyse {

/// From where a latency counts.
enum class Zero {
  by_rule,  ///< due where a schedule exists, else written
  written,  ///< always the write: the time that the server alone had
};

using Records = std::vector<const event::RequestRecord*>;

/// Latencies of requests, in their order. A request that timed out counts with a lower bound; one that failed otherwise
/// does not count (it is counted by its class); one without the event in question (no token, no end) does not either.
std::vector<Sample> ttft(const Records& records, Zero zero);
std::vector<Sample> ttfa(const Records& records, Zero zero);
std::vector<Sample> e2e(const Records& records, Zero zero);
std::vector<Sample> tpot(const Records& records);
std::vector<Sample> ntpot(const Records& records);  ///< E2E ÷ n

/// Whether the arrival times of this request's tokens say anything about the server: not where a proxy or the server
/// itself collected the stream first.
bool is_streamed(const event::RequestRecord& record);

/// Whether the server's count of output tokens can be right: known, and no more than was asked for.
bool has_credible_count(const event::RequestRecord& record);

}  // namespace scoville::analyse
