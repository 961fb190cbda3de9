#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "relay/heads.hpp"
#include "relay/sighting.hpp"
#include "wire/connection.hpp"
#include "wire/event_loop.hpp"
#include "wire/fd.hpp"
#include "wire/http_message.hpp"

namespace scoville::relay {

/// One connection of a client and its own connection to the server: bytes both ways as they come.
///
/// Each client has a connection of its own behind it, made when the client's is: the server sees as many as without us,
/// none is shared, and what closes on one side closes on the other. Requests are passed on one at a time: those that a
/// client sends ahead wait here.
///
/// States: reading a request → answering it → reading …; draining (all is written, the client may still send) → gone.
class Passage final : public wire::Ready, private wire::Connection::Owner {
 public:
  class Owner {
   public:
    virtual ~Owner() = default;
    virtual void on_sighting(Sighting sighting) = 0;
    /// The client is gone. The owner may bury the passage, not destroy it.
    virtual void on_gone(Passage& passage) = 0;
  };

  /// `read_buffer`: wire::ReadBuffer::kSize bytes, shared by all passages of a loop.
  Passage(wire::EventLoop& loop, wire::Fd client, const wire::Target& to, std::size_t longest_look, char* read_buffer,
          Owner& owner);

  Status begin();
  /// To be called now and then: ends what waited too long for the server to take the connection.
  void look_at_clock(Instant now);
  /// Ends everything; what is under way counts as failed for this reason.
  void give_up(std::string failure);
  bool is_busy() const { return sighting_ != nullptr; }

  std::size_t place = 0;  ///< in the owner's list

 private:
  /// The two directions, each a sink of its parser.
  struct Asking final : wire::MessageParser::Sink {
    explicit Asking(Passage& passage) : self(passage) {}
    void on_head(const wire::MessageHead& head) override { self.on_request_head(head); }
    void on_body(std::string_view bytes) override { self.on_request_body(bytes); }
    Passage& self;
  };
  struct Answering final : wire::MessageParser::Sink {
    explicit Answering(Passage& passage) : self(passage) {}
    void on_head(const wire::MessageHead& head) override { self.on_answer_head(head); }
    void on_body(std::string_view bytes) override { self.on_answer_body(bytes); }
    Passage& self;
  };

  // The client's side.
  void on_ready(std::uint32_t events) override;
  void read_client();
  void take(std::string_view bytes);
  void on_request_head(const wire::MessageHead& head);
  void on_request_body(std::string_view bytes);
  void on_request_end();
  void write(std::string_view bytes);
  void flush();
  void watch();
  void drain_and_close();
  void gone();

  // The server's side.
  void on_open(wire::Connection& connection) override;
  void on_bytes(wire::Connection& connection, char* data, std::size_t size, const wire::ReadStamp& stamp) override;
  void on_written(wire::Connection& connection, Instant at, Nanos took) override;
  void on_closed(wire::Connection& connection, const wire::Connection::Closing& closing) override;
  void on_answer_head(const wire::MessageHead& head);
  void on_answer_body(std::string_view bytes);
  void pump();

  // The end of an exchange.
  void finish(std::string failure);
  void refuse(int status, std::string failure, std::string_view message);
  void fail_answer(std::string failure, std::string_view message);

  wire::EventLoop& loop_;
  wire::Fd client_;
  const wire::Target& to_;
  const std::size_t longest_look_;
  char* const read_buffer_;
  Owner& owner_;
  wire::Connection server_;
  wire::MessageParser request_{wire::MessageParser::Kind::request}, answer_{wire::MessageParser::Kind::response};
  Asking asking_{*this};
  Answering answering_{*this};

  std::unique_ptr<Sighting> sighting_;  // of the exchange under way
  wire::MessageHead head_;              // of its request
  Framing asks_by_ = Framing::none, answers_by_ = Framing::none;
  Instant arrived_{};            // of the newest bytes of the server
  std::string for_client_;       // made by the parser out of the read under way
  std::string unread_;           // of the client, came while a request was answered
  std::string pending_;          // the client's socket has not taken it yet
  std::string queue_, sending_;  // for the server: waiting, and in the connection's hands
  std::string unreachable_;      // why there is no server
  std::optional<Instant> drains_since_;
  bool is_asked_ = false, has_head_ = false, keeps_alive_ = true, is_sending_ = false, is_closing_ = false;
  bool is_paused_ = false, is_taking_ = false;
  std::uint32_t watched_ = 0;
  std::uint64_t exchanges_ = 0;
};

}  // namespace scoville::relay
