#pragma once

#include <cstdint>
#include <optional>

#include "base/units.hpp"

namespace scoville::endpoint {

/// What a scripted endpoint has done since it was opened.
struct EndpointStats {
  std::uint64_t requests = 0;   ///< for text; each is in one of the next four, or running or waiting
  std::uint64_t answered = 0;   ///< to the end
  std::uint64_t failed = 0;     ///< as the script says
  std::uint64_t refused = 0;    ///< not valid, or the queue was full
  std::uint64_t abandoned = 0;  ///< the client went away
  std::uint64_t running = 0, waiting = 0;
  std::uint64_t connections = 0;  ///< open now
  std::uint64_t prompt_tokens = 0, tokens = 0;
  std::uint64_t writes = 0;  ///< that carried events
  /// Emit lag of these: from due to the clock just before the send. Absent where there was none.
  std::optional<Nanos> lag_p50, lag_p99, lag_max;
  std::uint64_t kernel_stamps = 0;  ///< requests whose arrival the kernel stamped
};

}  // namespace scoville::endpoint
