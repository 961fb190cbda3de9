#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "endpoint/agenda.hpp"
#include "endpoint/generation.hpp"
#include "endpoint/slots.hpp"
#include "wire/event_loop.hpp"
#include "wire/fd.hpp"
#include "wire/http_request.hpp"
#include "wire/tls.hpp"

namespace scoville::endpoint {

/// One connection of a client: requests in, whatever the owner writes out, TLS between where it is on.
///
/// States: reading → answering (on_request … answered()) → reading; closed at any time. While a request is answered,
/// what comes in is kept for later (pipelining). What the socket does not take at once waits here: an answer keeps its
/// schedule whether or not the client reads.
class Peer final : public wire::Ready {
 public:
  class Owner {
   public:
    virtual ~Owner() = default;
    /// `arrived`: kernel stamp of the segment with the request's last byte.
    virtual void on_request(Peer& peer, const wire::RequestHead& head, std::string& body, Instant arrived,
                            bool from_kernel) = 0;
    /// Bytes that are no request; the owner answers with this status, and the connection closes.
    virtual void on_bad_request(Peer& peer, int status) = 0;
    /// The connection is gone. The owner may bury the peer, not destroy it.
    virtual void on_gone(Peer& peer) = 0;
  };

  Peer(wire::EventLoop& loop, wire::Fd fd, std::unique_ptr<wire::TlsSession> tls, Owner& owner);

  Status watch();

  /// Nothing happens on a closed connection.
  void write(std::string_view bytes);

  /// The response is complete and the next request may come; or the end, where either side wants it.
  void answered();

  /// Closes when all is written: FIN. on_gone follows.
  void close_after_writing();
  void reset_now();

  bool is_closed() const { return !fd_; }
  bool keeps_alive() const { return keeps_alive_; }
  /// No request is being read or answered.
  bool is_idle() const { return !is_answering_ && !parser_.is_amid(); }

  // For the owner.
  AgendaPlace agenda_place;
  std::unique_ptr<Generation> generation;
  Slots<Peer*>::Ticket ticket = 0;
  std::size_t place = 0;  ///< in the owner's list

 private:
  void on_ready(std::uint32_t events) override;
  void read_once();
  void decrypt(std::string_view cipher);
  void take(std::string_view bytes);
  void push(std::string_view bytes);
  void flush();
  void gone();

  wire::EventLoop& loop_;
  wire::Fd fd_;
  std::unique_ptr<wire::TlsSession> tls_;
  Owner& owner_;
  wire::RequestParser parser_;
  std::string unread_;   // came while a request was answered
  std::string pending_;  // what the socket has not taken yet
  Instant arrived_{};    // of the newest bytes
  bool from_kernel_ = false, is_answering_ = false, is_taking_ = false, keeps_alive_ = true, is_closing_ = false;
  bool watches_writing_ = false;
};

}  // namespace scoville::endpoint
