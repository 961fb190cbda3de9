#include "wire/connection.hpp"

#include <fmt/format.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

#include "text/catalogue.hpp"
#include "wire/socket.hpp"

namespace scoville::wire {
namespace {

using text::Msg;
using text::say;

constexpr std::uint32_t kReading = EPOLLIN | EPOLLRDHUP;

}  // namespace

Connection::Connection(EventLoop& loop, const Target& target, Owner& owner)
    : loop_(loop), target_(target), owner_(&owner) {}

Connection::~Connection() { close(); }

Status Connection::start() {
  SCOVILLE_CHECK(state_ == State::closed, "a connection is started once");
  started_ = loop_.read_clock();
  Result<Fd> fd = start_connect(target_.address);
  if (!fd) return fd.error();
  fd_ = std::move(*fd);
  has_stamps_ = target_.address.family() != AF_UNIX && enable_stamps(fd_.get());
  state_ = State::connecting;
  watches_writing_ = true;
  return loop_.add(fd_.get(), EPOLLOUT, this);
}

void Connection::close() {
  if (!fd_) return;
  loop_.remove(fd_.get(), this);
  fd_.reset();
  state_ = State::closed;
}

void Connection::fail(Closing closing) {
  close();
  owner_->on_closed(*this, closing);
}

void Connection::watch(bool for_writing) {
  if (for_writing == watches_writing_) return;
  watches_writing_ = for_writing;
  loop_.modify(fd_.get(), for_writing ? kReading | EPOLLOUT : kReading, this);
}

void Connection::on_ready(std::uint32_t events) {
  if (state_ == State::connecting) {
    if (const Status outcome = connect_outcome(fd_.get(), target_.address); !outcome) {
      fail({true, outcome.error()});
      return;
    }
    connected();
    return;
  }
  if (events & EPOLLOUT) flush();
  if (fd_ && (events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR))) read_once();
}

void Connection::connected() {
  tcp_done_ = last_empty_ = loop_.read_clock();
  tcp_took_ = tcp_done_ - started_;
  watch(false);
  if (target_.proxy && target_.url.unix_path.empty()) {
    state_ = State::tunnelling;
    const std::string where = fmt::format(
        "{}:{}", target_.url.host.find(':') == std::string::npos ? target_.url.host : "[" + target_.url.host + "]",
        target_.url.port);
    tunnel_ = fmt::format("CONNECT {0} HTTP/1.1\r\nHost: {0}\r\n\r\n", where);
    to_write_ = tunnel_;
    flush();
    return;
  }
  begin_tls();
}

void Connection::begin_tls() {
  tunnel_.clear();
  if (!target_.tls) {
    opened();
    return;
  }
  state_ = State::handshaking;
  tcp_done_ = loop_.read_clock();
  tls_ = std::make_unique<TlsSession>(*target_.tls, target_.url.host, false);
  tls_->handshake();
  to_write_ = tls_->outgoing();
  flush();
}

void Connection::opened() {
  state_ = State::open;
  opened_ = idle_since = loop_.read_clock();
  if (tls_) tls_took_ = opened_ - tcp_done_;
  segments_.restart(fd_.get());
  owner_->on_open(*this);
}

void Connection::send(std::string_view request) {
  SCOVILLE_CHECK(state_ == State::open && !is_sending_, "requests go one by one over an open connection");
  is_sending_ = true;
  if (segments_.is_lost() && has_stamps_) segments_.restart(fd_.get());
  ++requests_carried;
  if (!tls_) {
    to_write_ = request;
  } else {
    tls_->send(request);
    to_write_ = tls_->outgoing();
  }
  flush();
}

void Connection::flush() {
  while (!to_write_.empty()) {
    const Instant before = loop_.read_clock();
    const ssize_t n = ::send(fd_.get(), to_write_.data(), to_write_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0) {
      if (errno == EINTR) continue;
      if (errno == EAGAIN) {
        watch(true);
        return;
      }
      // The peer may have answered before it closed: what it said is still to be read.
      if (bytes_received_ > 0 || errno == EPIPE || errno == ECONNRESET) {
        to_write_ = {};
        read_once();
        return;
      }
      fail({true, {ErrorCode::io, say(Msg::write_failed, std::strerror(errno))}});
      return;
    }
    to_write_.remove_prefix(static_cast<std::size_t>(n));
    if (to_write_.empty()) {
      if (tls_) tls_->outgoing().clear();
      watch(false);
      if (is_sending_) {
        is_sending_ = false;
        owner_->on_written(*this, before, loop_.read_clock() - before);
        return;
      }
    }
  }
}

void Connection::read_once() {
  ReadBuffer& buffer = tls_ ? loop_.cipher_buffer() : loop_.plain_buffer();
  const Instant before = loop_.clock();
  const StampedRead got = read_stamped(fd_.get(), buffer.data(), ReadBuffer::kSize);
  if (got.bytes < 0) {
    if (errno == EAGAIN || errno == EINTR) return;
    fail({true, {ErrorCode::io, say(Msg::connection_broken, std::strerror(errno))}});
    return;
  }
  if (got.bytes == 0) {
    fail({false, {}});
    return;
  }
  ReadStamp stamp;
  stamp.read = loop_.read_clock();
  stamp.from_kernel = got.wall != Nanos::zero();
  stamp.at = stamp.from_kernel ? std::min(loop_.offset().to_monotonic(got.wall), stamp.read) : stamp.read;
  stamp.last_empty = std::min(last_empty_, stamp.at);
  const auto size = static_cast<std::size_t>(got.bytes);
  if (size < ReadBuffer::kSize) last_empty_ = before;
  segments_.count_read(size == ReadBuffer::kSize);
  deliver(buffer.data(), size, stamp);
}

void Connection::deliver(char* data, std::size_t size, const ReadStamp& stamp) {
  if (state_ == State::tunnelling) {
    read_tunnel(data, size, stamp);
    return;
  }
  if (!tls_) {
    bytes_received_ += size;
    owner_->on_bytes(*this, data, size, stamp);
    return;
  }
  std::string_view cipher(data, size);
  const bool was_handshaking = state_ == State::handshaking;
  for (;;) {
    char* const plain = loop_.plain_buffer().data();
    std::size_t taken = 0;
    const TlsSession::State after = tls_->receive(cipher, plain, ReadBuffer::kSize, taken);
    cipher = {};
    if (after == TlsSession::State::failed) {
      fail({true, {ErrorCode::tls, say(Msg::tls_failed, target_.url.host, tls_->error())}});
      return;
    }
    if (!is_sending_ && !tls_->outgoing().empty()) {
      to_write_ = tls_->outgoing();
      flush();
      if (!fd_) return;
    }
    if (was_handshaking && state_ == State::handshaking && after == TlsSession::State::open) opened();
    bytes_received_ += taken;
    if (taken > 0 && fd_) owner_->on_bytes(*this, plain, taken, stamp);
    if (!fd_) return;
    if (after == TlsSession::State::closed) {
      fail({false, {}});
      return;
    }
    if (taken < ReadBuffer::kSize) return;
  }
}

void Connection::read_tunnel(const char* data, std::size_t size, const ReadStamp&) {
  if (!to_write_.empty()) to_write_ = {};
  if (tunnel_.starts_with("CONNECT ")) tunnel_.clear();
  tunnel_.append(data, size);
  const std::size_t end = tunnel_.find("\r\n\r\n");
  if (end == std::string::npos && tunnel_.size() < 65536) return;
  const std::string status = tunnel_.substr(0, tunnel_.find("\r\n"));
  if (status.size() < 12 || status.substr(9, 1) != "2" || end == std::string::npos) {
    fail({true, {ErrorCode::refused, say(Msg::proxy_refused, target_.proxy->to_string(), status.substr(0, 80))}});
    return;
  }
  begin_tls();
}

}  // namespace scoville::wire
