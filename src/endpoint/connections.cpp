#include "endpoint/connections.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/clock.hpp"
#include "wire/http_request.hpp"

namespace scoville::endpoint {

Connections::~Connections() {
  if (listening_.fd && !listening_.url.unix_path.empty()) unlink(listening_.url.unix_path.c_str());
}

Status Connections::open(const ListenOptions& options) {
  auto listening = start_listening(options);
  if (!listening) return std::move(listening.error());
  listening_ = *std::move(listening);
  max_connections_ = options.max_connections;
  if (Status opened = loop_.open(); !opened) return opened;
  is_accepting_ = true;
  return loop_.add(listening_.fd.get(), EPOLLIN, this);
}

void Connections::accept_all() {
  for (;;) {
    const bool has_room = peers_.size() < max_connections_;
    wire::Fd fd(has_room ? accept4(listening_.fd.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC) : -1);
    if (has_room && !fd && (errno == EAGAIN || errno == EINTR || errno == ECONNABORTED)) return;
    if (!fd) {  // until one has gone, the others wait in the backlog
      is_accepting_ = false;
      loop_.remove(listening_.fd.get(), this);
      return;
    }
    auto session = listening_.tls ? std::make_unique<wire::TlsSession>(*listening_.tls, "", true) : nullptr;
    auto peer = std::make_unique<Peer>(loop_, std::move(fd), std::move(session), owner_);
    if (!peer->watch()) return;
    peer->place = peers_.size();
    accepted_(*peer);
    peers_.push_back(std::move(peer));
  }
}

void Connections::accept_again() {
  if (is_accepting_) return;
  is_accepting_ = static_cast<bool>(loop_.add(listening_.fd.get(), EPOLLIN, this));
}

void Connections::remove(Peer& peer) {
  std::swap(peers_[peer.place], peers_.back());
  peers_[peer.place]->place = peer.place;
  loop_.bury(std::move(peers_.back()));
  peers_.pop_back();
  accept_again();
}

std::string response_text(int status, std::string_view type, std::string_view body, bool keeps_alive) {
  return fmt::format("HTTP/1.1 {} {}\r\nServer: scoville\r\nContent-Type: {}\r\nContent-Length: {}\r\n{}{}\r\n{}",
                     status, wire::reason_phrase(status), type, body.size(),
                     status == 429 || status == 503 ? "Retry-After: 1\r\n" : "",
                     keeps_alive ? "" : "Connection: close\r\n", body);
}

std::string stream_head(bool keeps_alive) {
  return fmt::format(
      "HTTP/1.1 200 OK\r\nServer: scoville\r\nContent-Type: text/event-stream; charset=utf-8\r\n"
      "Cache-Control: no-cache\r\nTransfer-Encoding: chunked\r\n{}\r\n",
      keeps_alive ? "" : "Connection: close\r\n");
}

std::int64_t wall_seconds() { return std::chrono::duration_cast<std::chrono::seconds>(wall_now()).count(); }

}  // namespace scoville::endpoint
