#include "relay/passage.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/clock.hpp"
#include "base/duration.hpp"
#include "text/catalogue.hpp"

namespace scoville::relay {
namespace {

using namespace std::chrono_literals;

/// More than this unread by the client, and it is dropped; more than this for the server, and the client waits.
constexpr std::size_t kMostPending = 64u << 20, kMostQueued = 1u << 20;
constexpr Nanos kLongestDrain = 2s;

/// Where clients name a conversation.
std::string session_of(const wire::MessageHead& head) {
  for (const std::string_view name : {"X-Session-Id", "X-Conversation-Id", "X-Chat-Id"}) {
    if (const std::string* const found = head.find(name)) return *found;
  }
  return "";
}

std::string text_of(const std::string* found) { return found ? *found : std::string(); }

/// Keeps bytes to look at, while they are no more than that.
void keep(std::string_view bytes, std::size_t most, std::string& kept, bool& is_whole) {
  if (!is_whole) return;
  if (kept.size() + bytes.size() <= most) {
    kept += bytes;
  } else {
    is_whole = false;
    kept = std::string();
  }
}

}  // namespace

Passage::Passage(wire::EventLoop& loop, wire::Fd client, const wire::Target& to, std::size_t longest_look,
                 char* read_buffer, Owner& owner)
    : loop_(loop),
      client_(std::move(client)),
      to_(to),
      longest_look_(longest_look),
      read_buffer_(read_buffer),
      owner_(owner),
      server_(loop, to, *this) {}

Status Passage::begin() {
  watched_ = EPOLLIN;
  if (Status watched = loop_.add(client_.get(), watched_, this); !watched) return watched;
  if (const Status started = server_.start(); !started) unreachable_ = started.error().message;
  return Done{};
}

void Passage::look_at_clock(Instant now) {
  if (drains_since_ && now - *drains_since_ > kLongestDrain) return gone();
  const bool waits = server_.state() != wire::Connection::State::closed && !server_.is_open();
  if (!waits || now - server_.started_at() <= to_.connect_timeout) return;
  server_.close();
  unreachable_ = text::say(text::Msg::upstream_timed_out, to_.url.authority(), format_duration(to_.connect_timeout));
  if (sighting_) refuse(502, "upstream_connect", unreachable_);
}

void Passage::give_up(std::string failure) {
  if (sighting_) finish(std::move(failure));
  gone();
}

// ------------------------------------------------------------------------------------------------- the client's side

void Passage::on_ready(std::uint32_t events) {
  if (events & EPOLLOUT) flush();
  if (client_ && (events & EPOLLIN)) return read_client();
  if (client_ && (events & (EPOLLHUP | EPOLLERR))) gone();
}

void Passage::read_client() {
  const ssize_t n = recv(client_.get(), read_buffer_, wire::ReadBuffer::kSize, MSG_DONTWAIT);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (n <= 0) return gone();
  loop_.read_clock();
  if (!is_closing_) take({read_buffer_, static_cast<std::size_t>(n)});
}

void Passage::take(std::string_view bytes) {
  is_taking_ = true;
  while (!bytes.empty() && client_ && !is_closing_) {
    if (is_asked_) {
      unread_ += bytes;
      is_paused_ = unread_.size() > kMostQueued;
      break;
    }
    std::size_t used = 0;
    const wire::MessageParser::State state = request_.feed(bytes, used, asking_);
    bytes.remove_prefix(used);
    if (is_closing_ || !client_) break;
    if (state == wire::MessageParser::State::failed) {
      refuse(request_.refusal(), "bad_request", request_.error());
    } else if (state == wire::MessageParser::State::complete) {
      on_request_end();
    }
  }
  is_taking_ = false;
  if (client_ && !is_closing_) pump();
  if (client_) watch();
}

void Passage::on_request_head(const wire::MessageHead& head) {
  head_ = head;
  sighting_ = std::make_unique<Sighting>();
  sighting_->method = head.method;
  sighting_->path = target_at(wire::Url(), head.target);
  sighting_->path.resize(std::min(sighting_->path.find('?'), sighting_->path.size()));
  sighting_->session = session_of(head);
  ++exchanges_;
  has_head_ = false;
  keeps_alive_ = head.keep_alive;
  answer_.start(head.method == "HEAD");
  if (head.method == "CONNECT") return refuse(501, "bad_request", "no tunnels: this is one server, not a proxy");
  if (!unreachable_.empty()) return refuse(502, "upstream_connect", unreachable_);
  asks_by_ = framing_of_request(head);
  queue_ += request_head(head, to_.url);
  const std::string* const expect = head.find("Expect");
  if (expect && wire::same_name(*expect, "100-continue")) write("HTTP/1.1 100 Continue\r\n\r\n");
}

void Passage::on_request_body(std::string_view bytes) {
  if (is_closing_ || !sighting_) return;
  sighting_->request_bytes += bytes.size();
  keep(bytes, longest_look_, sighting_->body, sighting_->is_body_whole);
  append_piece(queue_, bytes, asks_by_);
  is_paused_ = is_paused_ || queue_.size() > kMostQueued;
}

void Passage::on_request_end() {
  is_asked_ = true;
  sighting_->at = wall_now();
  sighting_->asked = loop_.read_clock();
  append_end(queue_, asks_by_);
  pump();
}

void Passage::write(std::string_view bytes) {
  while (client_ && pending_.empty() && !bytes.empty()) {
    const ssize_t n = send(client_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno != EAGAIN) return gone();
    if (n < 0) break;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  if (!client_ || bytes.empty()) return;
  pending_ += bytes;
  if (pending_.size() > kMostPending) return give_up("client_too_slow");
  watch();
}

void Passage::flush() {
  std::size_t written = 0;
  while (client_ && written < pending_.size()) {
    const ssize_t n =
        send(client_.get(), pending_.data() + written, pending_.size() - written, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) break;
    if (n < 0) return gone();
    written += static_cast<std::size_t>(n);
  }
  pending_.erase(0, written);
  if (pending_.empty() && is_closing_) drain_and_close();
  if (client_) watch();
}

void Passage::watch() {
  const std::uint32_t wanted =
      (is_paused_ ? 0u : std::uint32_t{EPOLLIN}) | (pending_.empty() ? 0u : std::uint32_t{EPOLLOUT});
  if (wanted == watched_) return;
  watched_ = wanted;
  loop_.modify(client_.get(), watched_, this);
}

/// A close with bytes unread would reset the connection and take the answer along: the client closes first.
void Passage::drain_and_close() {
  is_closing_ = true;
  is_paused_ = false;
  server_.close();
  if (!client_) return;
  watch();
  if (!pending_.empty() || drains_since_) return;
  drains_since_ = loop_.clock();
  shutdown(client_.get(), SHUT_WR);
}

void Passage::gone() {
  if (!client_) return;
  server_.close();
  loop_.remove(client_.get(), this);
  client_.reset();
  if (sighting_) finish("client_closed");
  owner_.on_gone(*this);
}

// ------------------------------------------------------------------------------------------------- the server's side

void Passage::pump() {
  if (!server_.is_open() || is_sending_ || queue_.empty()) return;
  std::swap(queue_, sending_);
  queue_.clear();
  is_sending_ = true;
  if (is_paused_ && unread_.size() <= kMostQueued) {
    is_paused_ = false;
    if (client_) watch();
  }
  server_.send(sending_);
}

void Passage::on_open(wire::Connection&) { pump(); }

void Passage::on_written(wire::Connection&, Instant, Nanos) {
  is_sending_ = false;
  sending_.clear();
  pump();
}

void Passage::on_bytes(wire::Connection&, char* data, std::size_t size, const wire::ReadStamp& stamp) {
  if (!sighting_) return drain_and_close();  // nobody asked
  arrived_ = stamp.at;
  for_client_.clear();
  std::size_t used = 0;
  const wire::MessageParser::State state = answer_.feed({data, size}, used, answering_);
  if (state == wire::MessageParser::State::complete) {
    append_end(for_client_, answers_by_);
    if (used < size) keeps_alive_ = false;
    write(for_client_);
    if (sighting_) finish("");
    return;
  }
  write(for_client_);
  if (client_ && state == wire::MessageParser::State::failed) fail_answer("bad_answer", answer_.error());
}

void Passage::on_answer_head(const wire::MessageHead& head) {
  has_head_ = true;
  sighting_->status = head.status;
  sighting_->content_type = text_of(head.find("Content-Type"));
  sighting_->content_encoding = text_of(head.find("Content-Encoding"));
  const bool runs_to_the_end = answer_.runs_to_the_end();
  answers_by_ = framing_of_answer(head, head_, runs_to_the_end);
  keeps_alive_ = keeps_alive_ && head.keep_alive && !runs_to_the_end && answers_by_ != Framing::until_end;
  for_client_ += answer_head(head, answers_by_, keeps_alive_);
}

void Passage::on_answer_body(std::string_view bytes) {
  sighting_->answer_bytes += bytes.size();
  keep(bytes, longest_look_, sighting_->answer, sighting_->is_answer_whole);
  auto& pieces = sighting_->pieces;
  if (pieces.empty() || pieces.back().at != arrived_) pieces.push_back({0, arrived_});
  pieces.back().end = sighting_->answer.size();
  append_piece(for_client_, bytes, answers_by_);
}

void Passage::on_closed(wire::Connection& connection, const wire::Connection::Closing& closing) {
  const std::string why = closing.error.message.empty() ? text::say(text::Msg::closed_early) : closing.error.message;
  is_sending_ = false;
  if (connection.opened_at() == Instant{}) unreachable_ = why;
  if (!client_ || is_closing_) return;
  if (!sighting_) {  // a server that is not there is told to who asks; one that leaves, leaves
    if (unreachable_.empty()) drain_and_close();
    return;
  }
  if (has_head_ && answer_.finish() == wire::MessageParser::State::complete) {
    for_client_.clear();
    append_end(for_client_, answers_by_);
    keeps_alive_ = false;
    write(for_client_);
    if (sighting_) finish("");
    return;
  }
  const bool is_stale = exchanges_ > 1 && !answer_.is_amid() && !has_head_;
  if (!unreachable_.empty()) return refuse(502, "upstream_connect", why);
  if (!is_stale) return fail_answer("upstream_closed", why);
  finish("stale_connection");  // as the client would have met it without us
}

// ------------------------------------------------------------------------------------------------ the end of an
// exchange

void Passage::finish(std::string failure) {
  const bool may_go_on = failure.empty() && keeps_alive_ && is_asked_ && client_;
  sighting_->failure = std::move(failure);
  sighting_->ended = sighting_->failure.empty() && sighting_->answer_bytes > 0 ? arrived_ : loop_.read_clock();
  if (!is_asked_) {  // it was answered, or failed, before it was whole
    sighting_->at = wall_now();
    sighting_->asked = sighting_->ended;
    sighting_->is_body_whole = false;
  }
  owner_.on_sighting(std::move(*sighting_));
  sighting_.reset();
  is_asked_ = false;
  if (!client_) return;
  if (!may_go_on) return drain_and_close();
  request_.start();
  is_paused_ = false;
  if (is_taking_ || unread_.empty()) return watch();
  const std::string next = std::exchange(unread_, {});
  take(next);
}

void Passage::refuse(int status, std::string failure, std::string_view message) {
  const bool is_request = sighting_ != nullptr;
  if (is_request) sighting_->status = status;
  is_closing_ = true;
  write(own_answer(status, failure, message));
  if (sighting_) finish(std::move(failure));
  if (client_) drain_and_close();
}

void Passage::fail_answer(std::string failure, std::string_view message) {
  if (!has_head_) return refuse(502, std::move(failure), message);
  finish(std::move(failure));  // the client sees a body that was cut off
}

}  // namespace scoville::relay
