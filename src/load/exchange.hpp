#pragma once

#include <memory>
#include <string>

#include "event/record_flow.hpp"
#include "load/assembler.hpp"
#include "load/conversation.hpp"
#include "load/delta_template.hpp"
#include "load/dialect.hpp"
#include "load/json_reader.hpp"
#include "plan/bench_plan.hpp"
#include "wire/connection.hpp"
#include "wire/http_response.hpp"
#include "wire/inflate.hpp"
#include "wire/sse.hpp"

namespace scoville::load {

/// A request ready to leave: its bytes, and the record that will tell of it.
struct Prepared {
  event::RequestRecord record;
  std::string bytes;
  std::unique_ptr<Conversation> conversation;  ///< that it is a turn of; else null
};

/// What all exchanges of a thread share.
struct ExchangeSetup {
  wire::EventLoop& loop;
  const Dialect& dialect;
  const plan::Timeouts& timeouts;
  Nanos cancel_after;  ///< of requests chosen for it, from written
  Assembler::Expectation expectation;
  JsonReader& reader;
  Chunk& chunk;
};

/// One request and its answer over one connection: (bytes, stamp) → HTTP body → frame → delta → record.
///
/// States: idle → sent (start) → answered (end marker, error, or end of body: the slot is free) → over (the body has
/// ended too, or was not waited for any longer). Between the last two the connection lingers, off the slot. Reused.
class Exchange final : public wire::Connection::Owner, wire::ResponseParser::Sink {
 public:
  class Host {
   public:
    virtual ~Host() = default;
    /// The answer is complete or failed: the slot may be given to the next request.
    virtual void on_answered(Exchange& exchange) = 0;
    /// The record is final; take() and release_connection() follow.
    virtual void on_over(Exchange& exchange, bool is_reusable) = 0;
    /// A reused connection died before any byte of an answer: the request may be sent once more.
    virtual void on_stale(Exchange& exchange) = 0;
  };

  Exchange(const ExchangeSetup& setup, Host& host) : setup_(setup), host_(host) {}

  void start(std::unique_ptr<wire::Connection> connection, Prepared prepared);

  /// Fails or ends what has waited too long. Call every few milliseconds.
  void check_timeouts(Instant now);
  void abort(Instant now);

  /// What came since the part before goes to `sink`, if anything did.
  void hand_over_part(event::RecordSink& sink);
  Instant started() const { return started_; }

  const event::RequestRecord& record() const { return prepared_.record; }
  /// Null where its request is no turn of one. It is the caller's then.
  std::unique_ptr<Conversation> take_conversation() { return std::move(prepared_.conversation); }
  Prepared take() { return std::move(prepared_); }
  std::unique_ptr<wire::Connection> release_connection() { return std::move(connection_); }
  bool is_answered() const { return is_answered_; }
  std::size_t place = 0;  ///< for the host

 private:
  enum class Body { undecided, events, lines, whole, error, ignored };

  void on_open(wire::Connection&) override {}
  void on_written(wire::Connection& connection, Instant at, Nanos took) override;
  void on_bytes(wire::Connection& connection, char* data, std::size_t size, const wire::ReadStamp& stamp) override;
  void on_closed(wire::Connection& connection, const wire::Connection::Closing& closing) override;
  void on_head(const wire::ResponseHead& head) override;
  void on_body(std::string_view bytes) override;

  void take_body(std::string_view bytes);
  void on_frame(const wire::Frame& frame);
  void on_error_frame(std::string_view text);
  FrameStamp stamp_of(const char* frame_end) const;
  void end_of_body();
  void read_collected();
  void answered();
  void over(bool is_reusable);
  void give_up(BodyEnd how, Instant now);
  void reject(event::Failure failure, std::string message);

  ExchangeSetup setup_;
  Host& host_;
  std::unique_ptr<wire::Connection> connection_;
  Prepared prepared_;
  Assembler assembler_;
  DeltaTemplate template_;
  wire::ResponseParser parser_;
  wire::SseParser sse_;
  std::unique_ptr<wire::Inflate> inflate_;
  std::string inflated_, collected_;
  wire::ReadStamp stamp_;
  const char* read_end_ = nullptr;
  std::uint64_t read_ = 0;
  Body body_ = Body::undecided;
  Instant started_{}, last_byte_{}, linger_until_{};
  std::uint64_t bytes_before_ = 0;
  std::size_t handed_over_ = 0;  // token events of it
  bool was_handed_over_ = false;
  std::uint32_t retransmits_before_ = 0;
  bool is_answered_ = false, is_over_ = true, keep_alive_ = true, was_told_ = false, must_close_ = false;
};

}  // namespace scoville::load
