#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace scoville::wire {

/// Where to connect, and what to ask for there.
struct Url {
  bool is_tls = false;
  std::string host;  ///< name or literal address, IPv6 without brackets; for a unix socket "localhost"
  std::uint16_t port = 0;
  std::string unix_path;  ///< not empty: connect to this socket file instead of host and port
  std::string path;       ///< begins with "/", or empty

  /// Host header: IPv6 in brackets, the port left out where it is the scheme's own.
  std::string authority() const;
  std::string to_string() const;
  Url with_path(std::string new_path) const;
};

/// Reads http://, https://, http+unix:///path/to.sock[:/path] and unix:///path/to.sock; a scheme left out means http.
/// Errors say what was wrong and what is expected.
Result<Url> parse_url(std::string_view text);

/// The URL that a Location header points to, seen from `base`.
Result<Url> resolve_location(const Url& base, std::string_view location);

/// `base` as users hold it (with or without /v1, with a vendor's path, with a slash at the end) joined with an API path
/// such as "/v1/chat/completions".
///
/// A version segment that `base` already ends with ("/v1", "/api/paas/v4") replaces the one in `api_path`. A base that
/// already ends with the whole path, or with all of it but the version, is taken as it is.
Url join_api_path(const Url& base, std::string_view api_path);

}  // namespace scoville::wire
