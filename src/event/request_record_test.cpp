#include "event/request_record.hpp"

#include <doctest/doctest.h>

namespace scoville::event {
namespace {
using namespace std::chrono_literals;

/// A record whose token events arrive at these times (ms) and carry these tokens (-1: unknown).
RequestRecord record_of(std::vector<std::pair<int, int>> events, std::int64_t n_out) {
  RequestRecord record;
  for (const auto& [at, tokens] : events) {
    TokenEvent event;
    event.at = Instant(std::chrono::milliseconds(at));
    if (tokens >= 0) event.tokens = static_cast<std::uint16_t>(tokens);
    record.tokens.push_back(event);
  }
  if (!record.tokens.empty()) {
    record.first_token = record.tokens.front().at;
    record.last_token = record.tokens.back().at;
    if (events.front().second >= 0) record.k_first = events.front().second;
  }
  record.n_out = n_out;
  return record;
}

}  // namespace

TEST_CASE("TPOT divides by the tokens that came after the first event") {
  CHECK(tpot(record_of({{100, 3}, {160, 3}, {220, 3}}, 9)) == 20ms);     // case DEL-17
  CHECK(tpot(record_of({{100, -1}, {160, -1}, {220, -1}}, 9)) == 15ms);  // case DEL-19: k unknown counts 1
}

TEST_CASE("TPOT is missing, not 0, where nothing came after the first token") {
  CHECK_FALSE(tpot(record_of({{100, 1}}, 1)).has_value());
  CHECK_FALSE(tpot(record_of({}, 0)).has_value());
}

TEST_CASE("an event without tokens gives no latency of its own; its gap joins the next") {
  const auto latencies = token_latencies(record_of({{100, 1}, {200, 1}, {220, 0}, {240, 1}}, 3));  // case DEL-20
  REQUIRE(latencies.has_value());
  CHECK(*latencies == std::vector<Nanos>{100ms, 40ms});
}

TEST_CASE("per-token latency is unknown where the server does not say how many tokens an event holds") {
  CHECK_FALSE(token_latencies(record_of({{100, -1}, {160, -1}}, 9)).has_value());
}

TEST_CASE("gaps are taken within a choice, not between choices") {
  RequestRecord record = record_of({{100, -1}, {110, -1}, {200, -1}, {210, -1}}, 4);
  record.tokens[1].choice = record.tokens[3].choice = 1;
  CHECK(chunk_gaps(record) == std::vector<Nanos>{100ms, 100ms});
  CHECK(chunk_gaps(record, 1) == std::vector<Nanos>{100ms});
}

}  // namespace scoville::event
