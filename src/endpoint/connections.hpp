#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "endpoint/listening.hpp"
#include "endpoint/peer.hpp"
#include "wire/event_loop.hpp"

namespace scoville::endpoint {

/// The connections of one listening socket, and the loop they live in: what every server here shares.
///
/// Beyond `max_connections` a client waits in the backlog until another has gone.
class Connections final : public wire::Ready {
 public:
  /// `accepted` is told of each new peer.
  Connections(Peer::Owner& owner, std::function<void(Peer&)> accepted)
      : owner_(owner), accepted_(std::move(accepted)) {}
  ~Connections() override;

  /// See start_listening().
  Status open(const ListenOptions& options);
  wire::EventLoop& loop() { return loop_; }
  std::uint16_t port() const { return listening_.url.port; }
  std::string url() const { return listening_.url.to_string(); }
  std::size_t size() const { return peers_.size(); }
  /// All of them, in any order.
  const std::vector<std::unique_ptr<Peer>>& all() const { return peers_; }

  /// For the owner's on_gone: buries the peer.
  void remove(Peer& peer);

 private:
  void on_ready(std::uint32_t) override { accept_all(); }
  void accept_all();
  void accept_again();

  Peer::Owner& owner_;
  std::function<void(Peer&)> accepted_;
  std::size_t max_connections_ = 0;
  wire::EventLoop loop_;
  Listening listening_;
  bool is_accepting_ = false;
  std::vector<std::unique_ptr<Peer>> peers_;
};

inline constexpr std::string_view kJson = "application/json";

/// A whole response, head and body.
std::string response_text(int status, std::string_view type, std::string_view body, bool keeps_alive);
/// The head of a stream of events.
std::string stream_head(bool keeps_alive);

/// Seconds since 1970, as OpenAI's "created" is.
std::int64_t wall_seconds();

}  // namespace scoville::endpoint
