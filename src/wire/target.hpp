#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "wire/resolve.hpp"
#include "wire/tls.hpp"
#include "wire/url.hpp"

namespace scoville::wire {

struct TargetOptions {
  TlsOptions tls;
  std::string proxy;  ///< URL of an HTTP proxy for CONNECT; empty: none. The environment's proxy variables are not read
  Nanos connect_timeout = std::chrono::seconds(10);
};

/// One server, its address pinned: every connection of a run goes to the same place, and no name is looked up in it.
struct Target {
  Url url;
  Address address;  ///< of the proxy, where there is one
  std::shared_ptr<TlsContext> tls;
  std::optional<Url> proxy;
  Nanos dns_took{};
  int connect_attempts = 0;  ///< addresses tried until one answered
  Nanos connect_timeout{};
};

/// Looks the name up and pins the first of its addresses that takes a connection. Blocks.
Result<Target> make_target(const Url& url, const TargetOptions& options);

/// Tries each address in turn until one takes a connection (case ERR-21: localhost is ::1 first, the server listens on
/// 127.0.0.1 alone), and counts the tries. The error is that of the last one.
Result<Target> pin_address(Target target, const std::vector<Address>& addresses);

}  // namespace scoville::wire
