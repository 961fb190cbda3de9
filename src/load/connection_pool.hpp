#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "wire/connection.hpp"

namespace scoville::load {

/// The idle and the opening connections of one load thread.
///
/// Connections are opened before they are needed, used in turn, and dropped after two idle seconds or when the server
/// ends them: a server's keep-alive limit must not cost a request (case ERR-18).
class ConnectionPool final : public wire::Connection::Owner {
 public:
  static constexpr Nanos kIdleLimit = std::chrono::seconds(2);
  /// A server that ends a connection this soon after an answer does so after every answer, whatever its head says.
  static constexpr Nanos kHasty = std::chrono::milliseconds(100);

  struct Callbacks {
    /// A connection has been opened. Take it by returning true (after take_opened()), or leave it idle.
    std::function<void()> on_ready;
    /// A connection could not be made.
    std::function<void(const Error&)> on_failed;
  };

  ConnectionPool(wire::EventLoop& loop, const wire::Target& target, Nanos connect_timeout, Callbacks callbacks);

  /// Starts one more connection. An error is reported by on_failed, never returned.
  void open_one();
  /// The connection that has been idle longest; null where there is none.
  std::unique_ptr<wire::Connection> take();
  /// One that has carried no request yet; null where there is none.
  std::unique_ptr<wire::Connection> take_fresh();
  void give_back(std::unique_ptr<wire::Connection> connection);

  /// A connection that was given back died: if it did so at once, none is used twice from now on.
  void note_death(const wire::Connection& connection);
  bool reuses() const { return reuses_; }

  std::size_t idle() const { return idle_.size(); }
  std::size_t idle_fresh() const;
  std::size_t opening() const { return opening_.size(); }
  std::size_t opened() const { return opened_; }

  /// Drops what was idle too long, fails what opens too slowly.
  void maintain(Instant now);
  void close_all();

 private:
  void on_open(wire::Connection& connection) override;
  void on_bytes(wire::Connection& connection, char*, std::size_t, const wire::ReadStamp&) override;
  void on_written(wire::Connection&, Instant, Nanos) override {}
  void on_closed(wire::Connection& connection, const wire::Connection::Closing& closing) override;
  void drop_idle(const wire::Connection& connection);

  wire::EventLoop& loop_;
  const wire::Target& target_;
  Nanos connect_timeout_;
  Callbacks callbacks_;
  std::deque<std::unique_ptr<wire::Connection>> idle_;
  std::vector<std::unique_ptr<wire::Connection>> opening_;
  std::size_t opened_ = 0;
  bool reuses_ = true;
};

}  // namespace scoville::load
