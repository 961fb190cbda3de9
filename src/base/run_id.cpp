#include "base/run_id.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/random.h>

#include <ctime>

#include "base/clock.hpp"

namespace scoville {

std::string new_run_id() {
  const std::time_t seconds = std::chrono::duration_cast<std::chrono::seconds>(wall_now()).count();
  unsigned salt = 0;
  if (getrandom(&salt, sizeof salt, 0) != sizeof salt) salt = static_cast<unsigned>(wall_now().count());
  return fmt::format("{:%Y%m%dT%H%M%SZ}-{:08x}", fmt::gmtime(seconds), salt);
}

}  // namespace scoville
