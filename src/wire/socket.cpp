#include "wire/socket.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <cstring>

#include "text/catalogue.hpp"

namespace scoville::wire {
namespace {

using text::Msg;
using text::say;

const sockaddr* raw(const Address& address) { return reinterpret_cast<const sockaddr*>(&address.storage); }

void set_option(int fd, int level, int name, int value) { setsockopt(fd, level, name, &value, sizeof value); }

}  // namespace

Error connect_error(int error, const Address& address) {
  switch (error) {
    case ECONNREFUSED:
      return {ErrorCode::refused, say(Msg::connect_refused, address.to_string())};
    case ETIMEDOUT:
      return {ErrorCode::timed_out, say(Msg::connect_timed_out, address.to_string())};
    case EMFILE:
    case ENFILE:
      return {ErrorCode::resource, say(Msg::connect_no_descriptor, address.to_string())};
    case EADDRNOTAVAIL:
      return {ErrorCode::resource, say(Msg::connect_no_port, address.to_string())};
    case ENOMEM:
    case ENOBUFS:
      return {ErrorCode::resource, say(Msg::connect_failed, address.to_string(), std::strerror(error))};
    default:
      return {ErrorCode::io, say(Msg::connect_failed, address.to_string(), std::strerror(error))};
  }
}

Result<Fd> start_connect(const Address& address) {
  Fd fd(socket(address.family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!fd) return connect_error(errno, address);
  if (address.family() != AF_UNIX) set_option(fd.get(), IPPROTO_TCP, TCP_NODELAY, 1);
  if (connect(fd.get(), raw(address), address.length) != 0 && errno != EINPROGRESS)
    return connect_error(errno, address);
  return fd;
}

Status connect_outcome(int fd, const Address& address) {
  int error = 0;
  socklen_t size = sizeof error;
  if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0) error = errno;
  if (error != 0) return connect_error(error, address);
  return Done{};
}

Result<Fd> listen_on(const Address& address, int backlog) {
  const auto failed = [&] {
    return Error{errno == EMFILE ? ErrorCode::resource : ErrorCode::io,
                 say(Msg::listen_failed, address.to_string(), std::strerror(errno))};
  };
  Fd fd(socket(address.family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!fd) return failed();
  set_option(fd.get(), SOL_SOCKET, SO_REUSEADDR, 1);
  if (bind(fd.get(), raw(address), address.length) != 0 || listen(fd.get(), backlog) != 0) return failed();
  return fd;
}

std::uint16_t local_port(int fd) {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  getsockname(fd, reinterpret_cast<sockaddr*>(&storage), &size);
  if (storage.ss_family == AF_INET6) return ntohs(reinterpret_cast<const sockaddr_in6&>(storage).sin6_port);
  if (storage.ss_family == AF_INET) return ntohs(reinterpret_cast<const sockaddr_in&>(storage).sin_port);
  return 0;
}

TcpInfo tcp_info(int fd) {
  struct tcp_info info {};
  socklen_t size = sizeof info;
  if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return {};
  return {info.tcpi_rtt, info.tcpi_total_retrans};
}

}  // namespace scoville::wire
