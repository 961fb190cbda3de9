#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "wire/event_loop.hpp"
#include "wire/fd.hpp"
#include "wire/segments.hpp"
#include "wire/target.hpp"
#include "wire/tls.hpp"

namespace scoville::wire {

/// One client connection: connects (through a proxy, with TLS, where the target says so), writes requests, hands on
/// what arrives with its stamps.
///
/// States: closed → connecting → tunnelling (proxy) → handshaking (TLS) → open → closed. start() begins; on_ready moves
/// on; close() or the peer ends it. A Connection may be closed in any of its own callbacks, but destroyed only after
/// them (EventLoop::bury).
class Connection final : public Ready {
 public:
  enum class State { closed, connecting, tunnelling, handshaking, open };

  /// How the peer ended it.
  struct Closing {
    bool is_reset = false;  ///< RST or a socket error, not FIN
    Error error;            ///< empty message for a plain FIN
  };

  class Owner {
   public:
    virtual ~Owner() = default;
    virtual void on_open(Connection& connection) = 0;
    /// `data` has ReadBuffer::kHeadroom writable bytes before it and kPadding readable bytes behind it.
    virtual void on_bytes(Connection& connection, char* data, std::size_t size, const ReadStamp& stamp) = 0;
    /// The last byte of a request was handed over: `at` is the clock just before that send(), which lasted `took`.
    virtual void on_written(Connection& connection, Instant at, Nanos took) = 0;
    /// The set-up failed, or the peer closed. The connection is closed already.
    virtual void on_closed(Connection& connection, const Closing& closing) = 0;
  };

  Connection(EventLoop& loop, const Target& target, Owner& owner);
  ~Connection() override;

  /// An error here means that the socket could not even be made.
  Status start();

  /// Writes `request`, which must stay in place until on_written. Only in state open, one at a time.
  void send(std::string_view request);

  /// No callback follows.
  void close();

  void set_owner(Owner& owner) { owner_ = &owner; }

  State state() const { return state_; }
  bool is_open() const { return state_ == State::open; }
  Instant started_at() const { return started_; }
  Instant opened_at() const { return opened_; }
  std::optional<Nanos> tcp_took() const { return tcp_took_; }
  std::optional<Nanos> tls_took() const { return tls_took_; }
  int fd() const { return fd_.get(); }
  bool has_kernel_stamps() const { return has_stamps_; }
  /// Bytes that the owner got since it was opened: of plaintext, for a TLS goodbye is no answer.
  std::uint64_t bytes_received() const { return bytes_received_; }
  /// Whether all bytes of the read that on_bytes hands on came in one segment, and so together at its stamp. False
  /// where that cannot be told. The first question about a read costs a system call.
  bool came_in_one_segment() { return segments_.is_one_each(fd_.get()); }
  /// For the owner: when it was last used, how often.
  Instant idle_since{};
  std::uint64_t requests_carried = 0;

 private:
  void on_ready(std::uint32_t events) override;
  void connected();
  void begin_tls();
  void opened();
  void read_once();
  void deliver(char* data, std::size_t size, const ReadStamp& stamp);
  void read_tunnel(const char* data, std::size_t size, const ReadStamp& stamp);
  void flush();
  void watch(bool for_writing);
  void fail(Closing closing);

  EventLoop& loop_;
  const Target& target_;
  Owner* owner_;
  Fd fd_;
  State state_ = State::closed;
  Instant started_{}, tcp_done_{}, opened_{}, last_empty_{};
  std::optional<Nanos> tcp_took_, tls_took_;
  std::unique_ptr<TlsSession> tls_;
  std::string_view to_write_;  // plaintext of the caller, or a view of tls_->outgoing()
  std::string tunnel_;         // CONNECT and what the proxy answered
  std::uint64_t bytes_received_ = 0;
  SegmentCount segments_;
  bool has_stamps_ = false, watches_writing_ = false, is_sending_ = false;
};

}  // namespace scoville::wire
