#include "wire/rlimit.hpp"

#include <sys/resource.h>

#include "text/catalogue.hpp"

namespace scoville::wire {
namespace {

constexpr std::size_t kReserve = 64;

}  // namespace

Status reserve_descriptors(std::size_t sockets) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return Done{};
  const rlim_t needed = sockets + kReserve;
  if (limit.rlim_cur >= needed) return Done{};
  rlimit raised = limit;
  raised.rlim_cur = limit.rlim_max < needed ? limit.rlim_max : needed;
  if (raised.rlim_cur >= needed && setrlimit(RLIMIT_NOFILE, &raised) == 0) return Done{};
  raised.rlim_cur = raised.rlim_max = needed;  // root may raise the hard limit as well
  if (setrlimit(RLIMIT_NOFILE, &raised) == 0) return Done{};
  return Error{ErrorCode::resource, text::say(text::Msg::descriptors_too_few, needed, limit.rlim_cur, limit.rlim_max)};
}

PortBudget port_budget(int first_port, int last_port, double new_connections_per_s, double time_wait_s) {
  return {last_port - first_port + 1, new_connections_per_s * time_wait_s};
}

}  // namespace scoville::wire
