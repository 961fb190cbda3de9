#pragma once

#include <cstddef>

#include "base/result.hpp"

namespace scoville::wire {

/// Makes room for `sockets` sockets and a reserve for everything else, raising the soft limit up to the hard one.
/// The error names both limits: better to refuse a run than to count our own failures as the server's (case ERR-19).
Status reserve_descriptors(std::size_t sockets);

/// Whether connections made at this rate fit into the ephemeral ports while closed ones wait (case ERR-20).
struct PortBudget {
  int ports = 0;
  double needed = 0;
  bool fits() const { return needed < ports; }
};
PortBudget port_budget(int first_port, int last_port, double new_connections_per_s, double time_wait_s = 60);

}  // namespace scoville::wire
