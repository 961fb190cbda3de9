#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "relay/passage.hpp"
#include "wire/target.hpp"

namespace scoville::relay {

/// A server that passes everything on to one other server, and tells of each request when it is over.
///
/// One thread, one event loop, any number of connections. Adds two copies of each byte and no wait: what comes in one
/// read goes out in one write.
class Relay final : private wire::Ready, private Passage::Owner {
 public:
  using OnSighting = std::function<void(Sighting)>;

  struct Options {
    std::string host = "127.0.0.1";
    std::uint16_t port = 0;                ///< 0: any free one
    std::size_t longest_look = 16u << 20;  ///< more of a request or an answer is passed on without a look
    std::size_t max_clients = 4096;
  };

  Relay(wire::Target to, Options options, OnSighting on_sighting);

  Status open();
  /// As a client would be told: "http://127.0.0.1:8080".
  std::string url() const { return url_; }
  std::uint16_t port() const { return port_; }

  /// Until `stop` is true or `until` has come; calls `on_tick` about five times a second. What is under way then is
  /// told of as failed: recorder_stopped.
  void run(const std::atomic<bool>& stop, std::optional<Instant> until, const std::function<void()>& on_tick);

  /// From any thread or signal handler.
  void wake() { loop_.wake(); }

  std::uint64_t clients_seen() const { return clients_seen_; }
  std::size_t busy() const;
  std::uint64_t done() const { return done_; }
  /// Without those whose answer only tells it within a stream.
  std::uint64_t failed() const { return failed_; }

 private:
  void on_ready(std::uint32_t events) override;
  void on_sighting(Sighting sighting) override;
  void on_gone(Passage& passage) override;

  wire::Target to_;
  Options options_;
  OnSighting on_sighting_;
  wire::EventLoop loop_;
  wire::Fd listening_;
  std::string url_;
  std::uint16_t port_ = 0;
  bool is_accepting_ = false;
  std::uint64_t clients_seen_ = 0, done_ = 0, failed_ = 0;
  std::unique_ptr<char[]> read_buffer_;
  std::vector<std::unique_ptr<Passage>> passages_;
};

}  // namespace scoville::relay
