#include "event/request_record.hpp"

#include <utility>

namespace scoville::event {
namespace {

constexpr std::array<std::string_view, kFailureCount> kFailureNames{"none",
                                                                    "http_status",
                                                                    "stream_error",
                                                                    "truncated",
                                                                    "reset",
                                                                    "timeout_idle",
                                                                    "timeout_request",
                                                                    "connect",
                                                                    "tls",
                                                                    "protocol",
                                                                    "unsupported_encoding",
                                                                    "empty_output",
                                                                    "aborted",
                                                                    "client_resource",
                                                                    "dns",
                                                                    "cancelled"};

constexpr std::array<std::string_view, kFlagCount> kFlagNames{"coalesced",
                                                              "burst_stream",
                                                              "multi_token_chunks",
                                                              "n_gt_1",
                                                              "empty_output",
                                                              "tokens_without_text",
                                                              "short_output",
                                                              "cumulative_text",
                                                              "not_streamed",
                                                              "compressed",
                                                              "no_done",
                                                              "no_finish_reason",
                                                              "unterminated_last_event",
                                                              "data_after_done",
                                                              "held_open_after_done",
                                                              "malformed_frame",
                                                              "nonstandard_json",
                                                              "implausible_server_rate",
                                                              "buffered",
                                                              "stale_reuse",
                                                              "usage_differs"};

/// Calls each(previous event of the same choice, event) for all events of `choice` (any choice if negative) but the
/// first.
template <class Each>
void for_each_pair(const std::vector<TokenEvent>& events, int choice, Each each) {
  std::array<const TokenEvent*, 256> previous{};
  for (const TokenEvent& event : events) {
    if (choice >= 0 && event.choice != choice) continue;
    const TokenEvent*& before = previous[event.choice];
    if (before) each(*before, event);
    before = &event;
  }
}

}  // namespace

std::string_view name_of(Failure failure) { return kFailureNames[static_cast<std::size_t>(failure)]; }
std::string_view name_of(Flag flag) { return kFlagNames[static_cast<std::size_t>(flag)]; }

std::string_view name_of(SubClass sub) {
  return sub == SubClass::context_length          ? "context_length"
         : sub == SubClass::unsupported_parameter ? "unsupported_parameter"
                                                  : "";
}

std::string_view name_of(CountSource source) {
  constexpr std::array<std::string_view, 5> names{"", "usage", "exact", "tokenizer", "not_applicable"};
  return names[static_cast<std::size_t>(source)];
}

std::vector<std::string_view> Flags::names() const {
  std::vector<std::string_view> found;
  for (std::size_t i = 0; i < kFlagCount; ++i) {
    if (has(static_cast<Flag>(i))) found.push_back(kFlagNames[i]);
  }
  return found;
}

RequestRecord snapshot(RequestRecord& open, std::size_t from_token) {
  // The events stay where they are while the rest is copied: a long answer has thousands.
  std::vector<TokenEvent> events = std::exchange(open.tokens, {});
  RequestRecord copy = open;
  open.tokens = std::move(events);
  copy.text.reset();
  copy.tokens.assign(open.tokens.begin() + static_cast<std::ptrdiff_t>(from_token), open.tokens.end());
  return copy;
}

std::optional<Nanos> tpot(const RequestRecord& record) {
  if (!record.first_token || !record.last_token || !record.n_out || record.flags.has(Flag::n_gt_1)) return std::nullopt;
  const std::int64_t divisor = *record.n_out - record.k_first.value_or(1);
  if (divisor < 1) return std::nullopt;
  return (*record.last_token - *record.first_token) / divisor;
}

std::vector<Nanos> chunk_gaps(const RequestRecord& record) {
  std::vector<Nanos> gaps;
  if (record.tokens.size() > 1) gaps.reserve(record.tokens.size() - 1);
  for_each_pair(record.tokens, -1, [&](const TokenEvent& a, const TokenEvent& b) { gaps.push_back(b.at - a.at); });
  return gaps;
}

std::vector<Nanos> chunk_gap_widths(const RequestRecord& record) {
  std::vector<Nanos> widths;
  if (record.tokens.size() > 1) widths.reserve(record.tokens.size() - 1);
  for_each_pair(record.tokens, -1, [&](const TokenEvent& a, const TokenEvent& b) {
    widths.push_back(Nanos(std::int64_t{a.width_ns} + b.width_ns));
  });
  return widths;
}

std::vector<Nanos> chunk_gaps(const RequestRecord& record, std::uint8_t choice) {
  std::vector<Nanos> gaps;
  for_each_pair(record.tokens, choice, [&](const TokenEvent& a, const TokenEvent& b) { gaps.push_back(b.at - a.at); });
  return gaps;
}

std::optional<std::vector<Nanos>> token_latencies(const RequestRecord& record) {
  if (record.tokens.empty() || record.flags.has(Flag::n_gt_1)) return std::nullopt;
  std::vector<Nanos> latencies;
  Instant since = record.tokens.front().at;
  for (std::size_t i = 1; i < record.tokens.size(); ++i) {
    const TokenEvent& event = record.tokens[i];
    if (event.tokens == TokenEvent::kUnknownTokens) return std::nullopt;
    if (event.tokens == 0) continue;
    latencies.insert(latencies.end(), event.tokens, (event.at - since) / event.tokens);
    since = event.at;
  }
  return latencies;
}

}  // namespace scoville::event
