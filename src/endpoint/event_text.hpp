#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "endpoint/generation_request.hpp"

namespace scoville::endpoint {

/// What a usage record says.
struct UsageCounts {
  std::uint64_t prompt = 0, completion = 0;
  std::optional<std::uint64_t> cached;
};

/// The true times of a request, for whoever checks a client: they end its last chunk.
struct Truth {
  Instant arrived{};    ///< t0: arrival of its last byte
  Nanos queued{};       ///< from there to a free slot
  Instant first_due{};  ///< of event 0
};

/// Members that end an object, with a comma before them; empty for no truth.
std::string truth_text(const std::optional<Truth>& truth);

/// The bytes of one write, and where the emit time belongs in them.
///
/// It is filled in last, just before the send: what a cold cache makes of the formatting is not in it. Until then its
/// place holds a time of as many digits.
struct EventBuffer {
  std::string bytes;
  std::vector<std::size_t> emit_places;

  void clear();
  /// `emit` is not before the times held so far.
  void stamp(Instant emit);
};

struct TokenEvent {
  std::uint64_t choice = 0, text_seed = 0, first_token = 0, tokens = 1;
  bool is_reasoning = false;
  const UsageCounts* usage = nullptr;
  std::optional<Instant> emit;  ///< any earlier time: see EventBuffer
};

/// The text of one response in OpenAI's dialects: events of a stream, or one JSON body.
///
/// What all events of a response share is made once; all token events are the same but for their text and the digits at
/// their end. Each function appends to `out`, events as one chunk of the chunked coding; a token allocates nothing
/// where `out` has room.
class EventText {
 public:
  EventText(Api api, std::uint64_t number, std::int64_t created, std::string_view model);

  Api api() const { return api_; }

  void role(std::string& out, std::uint64_t choice) const;
  void token(EventBuffer& out, const TokenEvent& event) const;
  /// The same of a text that is at hand, not made up.
  void said(std::string& out, std::uint64_t choice, std::string_view text, const UsageCounts* usage) const;
  void finish(std::string& out, std::uint64_t choice, std::string_view reason, const std::optional<Truth>& truth) const;
  void usage(std::string& out, const UsageCounts& counts) const;
  static void error(std::string& out, const ApiError& error);
  static void done(std::string& out);
  /// The chunk that ends the body.
  static void end(std::string& out);
  /// ": ping", which clients ignore.
  static void comment(std::string& out);

  /// One choice of a body; `reason` empty: null.
  void body_choice(std::string& out, std::uint64_t choice, std::string_view content, std::string_view reasoning,
                   std::string_view reason) const;
  /// A whole body around its choices.
  void body(EventBuffer& out, std::string_view choices, const UsageCounts* usage, const std::optional<Truth>& truth,
            std::optional<Instant> emit) const;

 private:
  bool is_chat() const { return api_ == Api::chat; }

  Api api_;
  std::string head_;  ///< of a chunk: `data: {"id":…,"choices":[`
};

/// The error object that every refusal carries.
std::string error_body(const ApiError& error);

}  // namespace scoville::endpoint
