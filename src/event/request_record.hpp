#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"

namespace scoville::event {

/// Why a request failed: one class each, counted in the result. The names are those of the JSON.
enum class Failure : std::uint8_t {
  none,
  http_status,           ///< status outside 2xx
  stream_error,          ///< an error object inside a 2xx answer
  truncated,             ///< the body ended without proof that the answer was complete
  reset,                 ///< the connection was reset, or closed before any byte of an answer
  timeout_idle,          ///< no byte, or no token event, for as long as was allowed
  timeout_request,       ///< longer than a request may take
  connect,               ///< no connection could be made
  tls,                   ///< handshake or certificate
  protocol,              ///< not HTTP/1.1, or not a body that this dialect can have
  unsupported_encoding,  ///< a content coding that cannot be undone
  empty_output,          ///< an end without any sign of generation
  aborted,               ///< the server said so (finish_reason error or abort), or the run was stopped
  client_resource,       ///< this machine ran out of descriptors, ports or memory: the run is not valid
  dns,
  cancelled,  ///< by this client, because the plan said so: no fault of anybody, and counted apart
};
inline constexpr std::size_t kFailureCount = 16;
std::string_view name_of(Failure failure);

enum class SubClass : std::uint8_t { none, context_length, unsupported_parameter };
std::string_view name_of(SubClass sub);

/// Where the number of output tokens comes from, best first.
enum class CountSource : std::uint8_t {
  none,
  usage,
  exact,
  tokenizer,
  not_applicable,  ///< the answer is no text: an embedding
};
std::string_view name_of(CountSource source);

/// What a reader should know about a request that may still be a success. cases/README.md defines each.
enum class Flag : std::uint8_t {
  coalesced,
  burst_stream,
  multi_token_chunks,
  n_gt_1,
  empty_output,
  tokens_without_text,
  short_output,
  cumulative_text,
  not_streamed,
  compressed,
  no_done,
  no_finish_reason,
  unterminated_last_event,
  data_after_done,
  held_open_after_done,
  malformed_frame,
  nonstandard_json,
  implausible_server_rate,
  buffered,       ///< an event stream with Content-Length: somebody collected it first
  stale_reuse,    ///< sent again because a reused connection died before any byte of an answer
  usage_differs,  ///< the server's token counts cannot be right: none beside text, or more than were asked for
};
inline constexpr std::size_t kFlagCount = 21;
std::string_view name_of(Flag flag);

class Flags {
 public:
  void set(Flag flag) { bits_ |= bit(flag); }
  bool has(Flag flag) const { return (bits_ & bit(flag)) != 0; }
  std::vector<std::string_view> names() const;
  std::uint32_t bits() const { return bits_; }
  static Flags from_bits(std::uint32_t bits) {
    Flags flags;
    flags.bits_ = bits & ((std::uint32_t{1} << kFlagCount) - 1);
    return flags;
  }

 private:
  static std::uint32_t bit(Flag flag) { return std::uint32_t{1} << static_cast<unsigned>(flag); }
  std::uint32_t bits_ = 0;
};

/// One delta with text in any channel, as it arrived.
///
/// `at` is the latest moment at which it can have arrived; it did so within (at − width, at]. Width is 0 where the
/// event was the last of its read (docs/method.md, "Arrival").
struct TokenEvent {
  static constexpr std::uint16_t kUnknownTokens = 0xFFFF;
  static constexpr std::int32_t kNoEmitTime = INT32_MIN;

  Instant at{};
  std::uint32_t width_ns = 0;                ///< saturates at 4.29 s
  std::uint32_t read_lag_ns = 0;             ///< user-space reading − kernel stamp
  std::int32_t since_emit_ns = kNoEmitTime;  ///< at − the emit time that a scripted endpoint put into the event
  std::uint16_t tokens = kUnknownTokens;     ///< tokens in this event, where the server says so
  std::uint8_t choice = 0;
  bool shares_read = false;  ///< another event of the same read has the same stamp
};
static_assert(sizeof(TokenEvent) == 24);

/// What was said, kept only when asked for.
struct RequestText {
  std::vector<std::string> answers;  ///< by choice
  std::string reasoning;
  std::string error_body;  ///< first 256 bytes of an error answer
};

/// The server's own account, where it sends one (llama.cpp `timings`, Ollama's counters).
struct ServerTimings {
  std::optional<std::int64_t> prompt_n, cache_n, predicted_n;
  std::optional<double> decode_tokens_per_s;
};

/// Everything kept of one request. Instants are on CLOCK_MONOTONIC; a Moment that never came stays empty.
struct RequestRecord {
  std::uint64_t index = 0;  ///< place in the schedule, from 0
  std::uint16_t thread = 0;
  std::uint16_t attempt = 0;  ///< 1, 2, … for a retry that was asked for: a record of its own
  bool is_warmup = false;
  bool is_probe = false;      ///< of the thin load beside the load; counted apart
  bool is_to_cancel = false;  ///< chosen to be given up on the way: counted apart, also where it ended before that
  std::uint32_t turn = 0;     ///< of its conversation; 0 for the first and for a request alone
  bool was_held = false;      ///< it was due, but no slot was free: late by plan, not by the client's fault

  Moment due;         ///< from the schedule; empty where no schedule exists
  Moment dequeued;    ///< a slot was free and the request taken up
  Moment connected;   ///< its connection was ready (set-up of a new one ended)
  Moment written;     ///< just before the send() that handed over the last byte
  Moment headers;     ///< end of the final response head
  Moment first_byte;  ///< first byte of the body, whatever it is
  Moment first_token, first_answer, last_token;
  Moment first_chunk, last_chunk;  ///< frames that named a choice, with or without a token: what other clients time
  Moment end;                      ///< end marker, else end of the body
  Moment failed_at;                ///< when the request was given up or its failure seen

  Nanos write_took{};  ///< duration of that send(): the uncertainty of `written`
  std::uint32_t end_width_ns = 0;
  std::optional<Nanos> dns, tcp, tls;  ///< set-up of a new connection; empty on a reused one
  bool reused_connection = false;

  Failure failure = Failure::none;
  SubClass sub_class = SubClass::none;
  std::uint16_t http_status = 0;  ///< 0: no head came
  std::optional<double> retry_after_s;
  std::string param;          ///< request parameter that an error object names
  std::string location;       ///< where a redirect points to
  std::string error_message;  ///< the server's own words, or the system's
  std::string finish_reason;
  Flags flags;

  std::uint32_t max_tokens = 0;  ///< asked for; 0: not limited
  std::uint32_t asked_prompt_tokens = 0;
  std::optional<std::int64_t> n_out, prompt_tokens, cached_tokens;
  CountSource n_out_source = CountSource::none;
  std::optional<std::int64_t> k_first;  ///< tokens in the first token event, where known
  std::uint32_t malformed = 0;
  std::uint32_t resends = 0;
  std::uint32_t redirects = 0;
  std::uint32_t body_bytes = 0;
  std::uint64_t prompt_hash = 0;
  std::uint64_t answer_hash = 0;  ///< FNV-1a over the text of every choice, kept even where the text is not; 0: no text

  std::uint32_t rtt_us = 0;       ///< TCP_INFO at the end; 0: not known
  std::uint32_t retransmits = 0;  ///< of this connection while this request used it

  std::vector<TokenEvent> tokens;
  std::optional<ServerTimings> server;
  std::shared_ptr<RequestText> text;

  bool succeeded() const { return failure == Failure::none; }
  /// False of an embedding, which has no token to count or to wait for.
  bool makes_tokens() const { return n_out_source != CountSource::not_applicable; }

  /// Latency counts from here: due where a schedule exists, else written (docs/method.md, "Zero").
  Moment zero() const { return due ? due : written; }
};

/// TPOT = (last token − first token) / (n − k): the time per output token after the first event. Empty where it is not
/// defined: no token event, n unknown, several choices, or a divisor below 1.
std::optional<Nanos> tpot(const RequestRecord& record);

/// Gaps between successive token events; with several choices, within each choice.
std::vector<Nanos> chunk_gaps(const RequestRecord& record);
std::vector<Nanos> chunk_gaps(const RequestRecord& record, std::uint8_t choice);

/// For each of chunk_gaps(record) the widths of its two events together: the gap is known to no better than that.
std::vector<Nanos> chunk_gap_widths(const RequestRecord& record);

/// Per-token latency: each gap divided by the tokens it brought, so many times. An event without tokens joins the next.
/// Empty where the tokens of any event after the first are not known.
std::optional<std::vector<Nanos>> token_latencies(const RequestRecord& record);

/// A copy of what is known so far of a request that has not ended: without its text, and with its token events from
/// `from_token` on.
RequestRecord snapshot(RequestRecord& open, std::size_t from_token);

}  // namespace scoville::event
