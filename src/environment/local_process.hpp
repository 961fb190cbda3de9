#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "event/fingerprint.hpp"
#include "wire/resolve.hpp"

namespace scoville::environment {

/// Whether a peer at this address runs on this machine: loopback, a unix socket, or an address of an interface of ours.
bool is_on_this_machine(const wire::Address& address);
/// Its TCP port; 0 for a unix socket.
std::uint16_t port_of(const wire::Address& address);

/// The engine's process on this machine: `engine.command_line` (an array, secrets masked), `engine.pid`, and
/// `engine.flags.*` from the command line. `root` is "" but in tests.
///
/// The process is the one that listens on `port`: /proc/net/tcp and tcp6 name the socket, /proc/PID/fd the process that
/// holds it; of several (a parent and its workers) the oldest, that is the smallest number. Seen from another network
/// namespace (a container with ports of its own) there is no such socket, and the field is absent; where /proc/PID/fd
/// is closed to us, denied.
event::Fingerprint observe_local_process(const std::string& root, std::uint16_t port);

/// Inodes of the sockets that listen on `port`, from the text of /proc/net/tcp or tcp6.
std::vector<std::uint64_t> listening_inodes(std::string_view proc_net_tcp, std::uint16_t port);

}  // namespace scoville::environment
