#include "relay/relay.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/clock.hpp"
#include "endpoint/listening.hpp"

namespace scoville::relay {
namespace {

using namespace std::chrono_literals;

constexpr Nanos kTick = 200ms;

}  // namespace

Relay::Relay(wire::Target to, Options options, OnSighting on_sighting)
    : to_(std::move(to)),
      options_(std::move(options)),
      on_sighting_(std::move(on_sighting)),
      read_buffer_(std::make_unique<char[]>(wire::ReadBuffer::kSize)) {}

Status Relay::open() {
  endpoint::ListenOptions listen;
  listen.host = options_.host;
  listen.port = options_.port;
  listen.max_connections = 2 * options_.max_clients;  // each has another behind it
  auto listening = endpoint::start_listening(listen);
  if (!listening) return std::move(listening.error());
  listening_ = std::move(listening->fd);
  url_ = listening->url.to_string();
  port_ = listening->url.port;
  if (Status opened = loop_.open(); !opened) return opened;
  is_accepting_ = true;
  return loop_.add(listening_.get(), EPOLLIN, this);
}

void Relay::run(const std::atomic<bool>& stop, std::optional<Instant> until, const std::function<void()>& on_tick) {
  Instant next = now() + kTick;
  while (!stop && (!until || loop_.read_clock() < *until)) {
    loop_.turn(until ? std::min(next, *until) : next);
    if (loop_.read_clock() < next) continue;
    next = loop_.clock() + kTick;
    for (std::size_t i = passages_.size(); i-- > 0;) passages_[i]->look_at_clock(loop_.clock());
    on_tick();
  }
  while (!passages_.empty()) passages_.back()->give_up("recorder_stopped");
}

std::size_t Relay::busy() const {
  return static_cast<std::size_t>(
      std::count_if(passages_.begin(), passages_.end(), [](const auto& each) { return each->is_busy(); }));
}

void Relay::on_ready(std::uint32_t) {
  Passage::Owner& self = *this;
  for (;;) {
    const bool has_room = passages_.size() < options_.max_clients;
    wire::Fd fd(has_room ? accept4(listening_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC) : -1);
    if (has_room && !fd && (errno == EAGAIN || errno == EINTR || errno == ECONNABORTED)) return;
    if (!fd) {  // until one has gone, the others wait in the backlog
      is_accepting_ = false;
      loop_.remove(listening_.get(), this);
      return;
    }
    auto passage =
        std::make_unique<Passage>(loop_, std::move(fd), to_, options_.longest_look, read_buffer_.get(), self);
    if (!passage->begin()) return;
    ++clients_seen_;
    passage->place = passages_.size();
    passages_.push_back(std::move(passage));
  }
}

void Relay::on_sighting(Sighting sighting) {
  ++done_;
  failed_ += !sighting.failure.empty() || sighting.status >= 400;
  on_sighting_(std::move(sighting));
}

void Relay::on_gone(Passage& passage) {
  std::swap(passages_[passage.place], passages_.back());
  passages_[passage.place]->place = passage.place;
  loop_.bury(std::move(passages_.back()));
  passages_.pop_back();
  if (!is_accepting_) is_accepting_ = static_cast<bool>(loop_.add(listening_.get(), EPOLLIN, this));
}

}  // namespace scoville::relay
