#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/units.hpp"
#include "endpoint/event_text.hpp"
#include "endpoint/generation_request.hpp"
#include "endpoint/responses_text.hpp"
#include "endpoint/schedule.hpp"
#include "plan/script.hpp"

namespace scoville::endpoint {

/// How a request fails, if it does.
struct Fault {
  enum class Kind { none, status, error, close, reset };
  Kind kind = Kind::none;
  std::uint64_t at = 0;  ///< events before it; not for a status, which comes at once
};

/// Drawn from (seed, request number).
Fault draw_fault(const plan::Script& script, std::uint64_t number);

/// The error object of a fault.
ApiError scripted_error(const plan::Script& script);

/// One request being answered: what is due when, and its text.
///
/// States: made → waiting for a slot → start() → write() at each due() until it no longer says `more`. Knows neither
/// sockets nor clocks, so an hour-long stream is tested in microseconds.
class Generation {
 public:
  enum class After {
    more,      ///< the next write is at due()
    answered,  ///< the response is complete
    failed,    ///< so it is, with an error object; a response that is no stream has still to be made, with error_status
    close,     ///< close the connection now
    reset,     ///< reset it now
  };

  /// `script` must outlive it.
  Generation(const plan::Script& script, const GenerationRequest& request, std::uint64_t number, std::int64_t created,
             Instant arrived);

  /// False: write() appends a JSON body instead of chunks, once.
  bool is_stream() const { return is_stream_; }

  /// What precedes the first event of a stream: the chunks with the role.
  void open(std::string& out) const;

  /// A slot is free.
  void start(Instant at);

  /// When the next write is due. Precondition of both: started.
  Instant due() const { return due_; }
  /// Appends it; its emit time is left to out.stamp().
  After write(EventBuffer& out);

  Instant arrived() const { return truth_.arrived; }
  bool has_started() const { return schedule_.has_value(); }
  std::uint64_t prompt_tokens() const { return prompt_tokens_; }
  /// Of all choices.
  std::uint64_t tokens_sent() const { return tokens_before(events_sent_) * choices_; }
  /// Events of the write that is due at due(), for each choice.
  std::uint64_t events_due() const { return group_; }

 private:
  void plan_next();
  void append_events(EventBuffer& out) const;
  void append_end(std::string& out) const;
  void append_embeddings(EventBuffer& out) const;
  void append_body(EventBuffer& out) const;
  After fail(std::string& out) const;

  std::uint64_t tokens_before(std::uint64_t event) const;
  bool has_fault() const { return fault_.kind != Fault::Kind::none && fault_.at <= events_; }
  std::uint64_t text_seed(std::uint64_t choice) const;
  UsageCounts usage_after(std::uint64_t completion) const;
  std::string_view finish_reason() const;
  std::optional<Truth> truth() const;
  std::optional<Instant> provisional_emit() const;

  const plan::Script* script_;
  EventText text_;
  std::optional<ResponsesText> responses_;  ///< instead, where they are asked for
  std::string model_;
  Fault fault_;
  Truth truth_;
  std::optional<Schedule> schedule_;
  Instant due_{};
  std::uint64_t number_, prompt_tokens_, choices_, tokens_, events_ = 0;  ///< tokens, events: of each choice
  std::uint64_t events_sent_ = 0, group_ = 0;
  bool is_stream_, is_capped_, wants_usage_, wants_continuous_usage_;
};

/// Prompt tokens of a request: its words, with the template's for chat and BOS for completions of text.
std::uint64_t prompt_tokens_of(const plan::Script& script, const GenerationRequest& request);

/// Tokens that each choice will have.
std::uint64_t tokens_of(const plan::Script& script, const GenerationRequest& request);

}  // namespace scoville::endpoint
