#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "launch/engine.hpp"
#include "wire/fetch.hpp"
#include "wire/target.hpp"

namespace scoville::launch {

/// What an engine is asked until it is ready.
struct ReadyQuestion {
  wire::Url base;
  std::string path = "/health";  ///< from the root of the server
  wire::TargetOptions wire;
  std::vector<wire::Header> headers;
  Nanos timeout = std::chrono::minutes(10);  ///< from the start of the process
};

/// Asks until the first 2xx; the answer is when it came. A refused connection, 503 and any other status mean "not yet".
/// Every 20 ms in the beginning, later after 1 % of the time that has gone by, at most every half second: the log of an
/// engine that loads for minutes is not filled with our questions.
///
/// An engine whose first process ends meanwhile ends the wait at once: the error is one line with the engine's own
/// words from its log, its exit status and its command. `on_wait` is called about every ten seconds with the time gone
/// by.
Result<Instant> wait_until_ready(const Engine& engine, const ReadyQuestion& question, const std::atomic<bool>& stop,
                                 const std::function<void(Nanos)>& on_wait);

/// How long to wait before the next question.
Nanos pause_after(Nanos elapsed);

/// A TCP port of 127.0.0.1 that is free now. Somebody else may take it before the engine does, which then says so.
Result<std::uint16_t> free_port();

/// An error if somebody takes connections at `base` already: that server would be measured instead of ours.
Status check_is_free(const wire::Url& base, const wire::TargetOptions& options);

}  // namespace scoville::launch
