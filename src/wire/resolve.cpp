#include "wire/resolve.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/un.h>

#include <cstddef>
#include <cstring>
#include <memory>

#include "base/clock.hpp"
#include "text/catalogue.hpp"

namespace scoville::wire {
namespace {

template <class T>
T view_as(const sockaddr_storage& storage) {
  T value;
  std::memcpy(&value, &storage, sizeof value);
  return value;
}

Address unix_address(const std::string& path) {
  sockaddr_un local{};
  local.sun_family = AF_UNIX;
  std::memcpy(local.sun_path, path.data(), path.size());
  Address address;
  std::memcpy(&address.storage, &local, sizeof local);
  address.length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size() + 1);
  return address;
}

}  // namespace

std::string Address::to_string() const {
  char name[INET6_ADDRSTRLEN] = "";
  if (family() == AF_INET) {
    const auto in = view_as<sockaddr_in>(storage);
    inet_ntop(AF_INET, &in.sin_addr, name, sizeof name);
    return fmt::format("{}:{}", name, ntohs(in.sin_port));
  }
  if (family() == AF_INET6) {
    const auto in = view_as<sockaddr_in6>(storage);
    inet_ntop(AF_INET6, &in.sin6_addr, name, sizeof name);
    return fmt::format("[{}]:{}", name, ntohs(in.sin6_port));
  }
  return fmt::format("unix:{}", view_as<sockaddr_un>(storage).sun_path);
}

Result<Resolved> resolve(const Url& url) {
  Resolved resolved;
  if (!url.unix_path.empty()) {
    resolved.addresses.push_back(unix_address(url.unix_path));
    return resolved;
  }
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV;
  addrinfo* list = nullptr;
  const Instant start = now();
  const int failed = getaddrinfo(url.host.c_str(), std::to_string(url.port).c_str(), &hints, &list);
  if (failed != 0) {
    return Error{ErrorCode::dns, text::say(text::Msg::dns_failed, url.host, gai_strerror(failed))};
  }
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(list, &freeaddrinfo);
  for (const addrinfo* each = list; each; each = each->ai_next) {
    Address address;
    std::memcpy(&address.storage, each->ai_addr, each->ai_addrlen);
    address.length = each->ai_addrlen;
    resolved.addresses.push_back(address);
  }
  in6_addr literal{};
  const bool is_literal =
      inet_pton(AF_INET, url.host.c_str(), &literal) == 1 || inet_pton(AF_INET6, url.host.c_str(), &literal) == 1;
  if (!is_literal) resolved.took = now() - start;
  return resolved;
}

}  // namespace scoville::wire
