#pragma once

#include <sys/socket.h>

#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/units.hpp"
#include "wire/url.hpp"

namespace scoville::wire {

/// A socket address: IPv4, IPv6 or a unix socket.
struct Address {
  sockaddr_storage storage{};
  socklen_t length = 0;

  int family() const { return storage.ss_family; }
  /// "127.0.0.1:8000", "[::1]:8000", "unix:/run/x.sock".
  std::string to_string() const;
};

struct Resolved {
  std::vector<Address> addresses;  ///< in the order in which the system would try them, never empty
  Nanos took{};                    ///< time of the name look-up; 0 for a literal address or a unix socket
};

/// Asks the system's resolver. Blocks: for use before a run, never in one.
Result<Resolved> resolve(const Url& url);

}  // namespace scoville::wire
