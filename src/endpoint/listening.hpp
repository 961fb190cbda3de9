#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/result.hpp"
#include "wire/fd.hpp"
#include "wire/tls.hpp"
#include "wire/url.hpp"

namespace scoville::endpoint {

struct ListenOptions {
  std::string host = "127.0.0.1";   ///< name or literal address
  std::uint16_t port = 0;           ///< 0: any free one
  std::string unix_path;            ///< not empty: a unix socket instead of host and port
  std::string cert_file, key_file;  ///< PEM; not empty: TLS
  std::size_t max_connections = 16384;
};

/// A socket that listens, and what its connections need.
struct Listening {
  wire::Fd fd;
  wire::Url url;                          ///< as a client would be told, with the port it got
  std::shared_ptr<wire::TlsContext> tls;  ///< null without TLS
};

/// Binds and listens, connections inheriting kernel stamps and TCP_NODELAY. Errors: the address, the certificate, or
/// too few descriptors for `max_connections`. The file of a socket that nobody listens on any more is replaced.
Result<Listening> start_listening(const ListenOptions& options);

}  // namespace scoville::endpoint
