#include "endpoint/peer.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace scoville::endpoint {
namespace {

constexpr std::size_t kLongestBody = 16u << 20;
/// More than this unread by the client, or sent by it ahead of its turn, and the connection is dropped.
constexpr std::size_t kMostPending = 64u << 20, kMostUnread = 32u << 20;

}  // namespace

Peer::Peer(wire::EventLoop& loop, wire::Fd fd, std::unique_ptr<wire::TlsSession> tls, Owner& owner)
    : loop_(loop), fd_(std::move(fd)), tls_(std::move(tls)), owner_(owner), parser_(kLongestBody) {}

Status Peer::watch() { return loop_.add(fd_.get(), EPOLLIN, this); }

void Peer::on_ready(std::uint32_t events) {
  if (events & EPOLLOUT) flush();
  if (fd_ && (events & ~static_cast<std::uint32_t>(EPOLLOUT))) read_once();
}

void Peer::read_once() {
  wire::ReadBuffer& buffer = tls_ ? loop_.cipher_buffer() : loop_.plain_buffer();
  const wire::StampedRead got = wire::read_stamped(fd_.get(), buffer.data(), wire::ReadBuffer::kSize);
  if (got.bytes < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got.bytes <= 0) return gone();
  const Instant read = loop_.read_clock();
  from_kernel_ = got.wall != Nanos::zero();
  arrived_ = from_kernel_ ? std::min(loop_.offset().to_monotonic(got.wall), read) : read;
  const std::string_view bytes(buffer.data(), static_cast<std::size_t>(got.bytes));
  if (tls_) {
    decrypt(bytes);
  } else {
    take(bytes);
  }
}

void Peer::decrypt(std::string_view cipher) {
  for (;;) {
    char* const plain = loop_.plain_buffer().data();
    std::size_t taken = 0;
    const wire::TlsSession::State state = tls_->receive(cipher, plain, wire::ReadBuffer::kSize, taken);
    cipher = {};
    push(std::exchange(tls_->outgoing(), {}));
    if (fd_ && taken > 0) take({plain, taken});
    if (!fd_) return;
    if (state == wire::TlsSession::State::failed || state == wire::TlsSession::State::closed) return gone();
    if (taken < wire::ReadBuffer::kSize) return;
  }
}

void Peer::take(std::string_view bytes) {
  is_taking_ = true;
  while (!bytes.empty() && fd_ && !is_closing_) {
    if (is_answering_) {
      unread_.append(bytes);
      if (unread_.size() > kMostUnread) gone();
      break;
    }
    std::size_t used = 0;
    const wire::RequestParser::State state = parser_.feed(bytes, used);
    bytes.remove_prefix(used);
    if (state == wire::RequestParser::State::failed) {
      keeps_alive_ = false;
      is_answering_ = true;
      owner_.on_bad_request(*this, parser_.refusal());
      break;
    }
    if (state == wire::RequestParser::State::open) {
      if (parser_.take_expectation()) write("HTTP/1.1 100 Continue\r\n\r\n");
      break;
    }
    is_answering_ = true;
    keeps_alive_ = parser_.head().keep_alive;
    owner_.on_request(*this, parser_.head(), parser_.body(), arrived_, from_kernel_);
    if (fd_) parser_.start();
  }
  is_taking_ = false;
}

void Peer::answered() {
  if (!fd_) return;
  is_answering_ = false;
  if (!keeps_alive_) return close_after_writing();
  if (is_taking_ || unread_.empty()) return;
  const std::string next = std::exchange(unread_, {});
  take(next);
}

void Peer::write(std::string_view bytes) {
  if (!fd_) return;
  if (!tls_) return push(bytes);
  tls_->send(bytes);
  push(tls_->outgoing());
  tls_->outgoing().clear();
}

void Peer::push(std::string_view bytes) {
  while (pending_.empty() && !bytes.empty()) {
    const ssize_t n = send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno != EAGAIN) return gone();
    if (n < 0) break;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  if (bytes.empty()) return;
  pending_.append(bytes);
  if (pending_.size() > kMostPending) return gone();
  if (watches_writing_) return;
  watches_writing_ = true;
  loop_.modify(fd_.get(), EPOLLIN | EPOLLOUT, this);
}

void Peer::flush() {
  std::size_t written = 0;
  while (fd_ && written < pending_.size()) {
    const ssize_t n =
        send(fd_.get(), pending_.data() + written, pending_.size() - written, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) break;
    if (n < 0) return gone();
    written += static_cast<std::size_t>(n);
  }
  pending_.erase(0, written);
  if (!fd_ || !pending_.empty()) return;
  pending_ = std::string();
  if (is_closing_) return gone();
  if (!watches_writing_) return;
  watches_writing_ = false;
  loop_.modify(fd_.get(), EPOLLIN, this);
}

void Peer::close_after_writing() {
  if (!fd_) return;
  is_closing_ = true;
  if (pending_.empty()) gone();
}

void Peer::reset_now() {
  if (!fd_) return;
  const linger at_once{1, 0};
  setsockopt(fd_.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  gone();
}

void Peer::gone() {
  if (!fd_) return;
  loop_.remove(fd_.get(), this);
  fd_.reset();
  owner_.on_gone(*this);
}

}  // namespace scoville::endpoint
