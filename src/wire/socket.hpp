#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "wire/fd.hpp"
#include "wire/resolve.hpp"

namespace scoville::wire {

/// A non-blocking socket whose connection to `address` is under way or made. TCP_NODELAY is on.
Result<Fd> start_connect(const Address& address);

/// What became of a connection under way: ok, or refused, timed_out, resource, io.
Status connect_outcome(int fd, const Address& address);

/// The system's word for `error`, with the address, as an Error of the right code.
Error connect_error(int error, const Address& address);

/// Listens on host and port of `url` (port 0: any free one) or on its unix socket.
Result<Fd> listen_on(const Address& address, int backlog);
/// The port a listening socket got.
std::uint16_t local_port(int fd);

struct TcpInfo {
  std::uint32_t rtt_us = 0;
  std::uint32_t retransmits = 0;  ///< of the connection since it was made
};
/// Zeros where the socket is not TCP.
TcpInfo tcp_info(int fd);

}  // namespace scoville::wire
