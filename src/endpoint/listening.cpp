#include "endpoint/listening.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "text/catalogue.hpp"
#include "wire/resolve.hpp"
#include "wire/rlimit.hpp"
#include "wire/socket.hpp"
#include "wire/stamp.hpp"

namespace scoville::endpoint {
namespace {

constexpr int kBacklog = 4096;

Result<std::shared_ptr<wire::TlsContext>> server_tls(const ListenOptions& options) {
  if (options.cert_file.empty()) return std::shared_ptr<wire::TlsContext>();
  wire::TlsOptions tls;
  tls.cert_file = options.cert_file;
  tls.key_file = options.key_file;
  tls.is_server = true;
  return wire::TlsContext::make(tls);
}

Result<wire::Address> address_of(const wire::Url& url) {
  if (url.unix_path.size() >= sizeof sockaddr_un{}.sun_path) {
    return Error{ErrorCode::invalid_argument,
                 text::say(text::Msg::url_bad, url.to_string(), text::say(text::Msg::url_unix_long))};
  }
  auto resolved = wire::resolve(url);
  if (!resolved) return std::move(resolved.error());
  return resolved->addresses.front();
}

/// Removes the file of a socket that nobody listens on.
void remove_stale_socket(const std::string& path, const wire::Address& address) {
  const wire::Fd probe(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const bool refused = connect(probe.get(), reinterpret_cast<const sockaddr*>(&address.storage), address.length) != 0 &&
                       errno == ECONNREFUSED;
  if (refused) unlink(path.c_str());
}

}  // namespace

Result<Listening> start_listening(const ListenOptions& options) {
  const bool is_unix = !options.unix_path.empty();
  Listening made;
  made.url = {!options.cert_file.empty(), is_unix ? "localhost" : options.host, options.port, options.unix_path, {}};
  if (Status reserved = wire::reserve_descriptors(options.max_connections); !reserved) {
    return std::move(reserved.error());
  }
  auto tls = server_tls(options);
  if (!tls) return std::move(tls.error());
  made.tls = *std::move(tls);
  const auto address = address_of(made.url);
  if (!address) return address.error();
  if (is_unix) remove_stale_socket(options.unix_path, *address);
  auto fd = wire::listen_on(*address, kBacklog);
  if (!fd) return std::move(fd.error());
  made.fd = *std::move(fd);
  if (is_unix) return made;
  const int on = 1;
  setsockopt(made.fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  wire::enable_stamps(made.fd.get());
  made.url.port = wire::local_port(made.fd.get());
  return made;
}

}  // namespace scoville::endpoint
