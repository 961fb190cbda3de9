#pragma once

#include <cstdint>

#include "base/rng.hpp"
#include "base/units.hpp"
#include "plan/script.hpp"

namespace scoville::endpoint {

/// Streams of random numbers of one request.
enum class Draw : std::uint64_t { times, fault };

/// When the events of one request are due.
///
/// Event 0: start + ttft + prefill · prompt tokens; each further one an itl later; the stall shifts all from event
/// stall_at on. Every due time is counted from the start, never from a send, so lateness does not add up. Draws come
/// from (seed, request number) alone: a request has the same schedule whenever and wherever it is answered. Jitter
/// moves single events, though never before the event in front.
class Schedule {
 public:
  Schedule(const plan::Script& script, std::uint64_t request, Instant start, std::uint64_t prompt_tokens);

  /// Of the next event.
  Instant next();

 private:
  Nanos draw(Nanos mean, plan::Spread spread);

  const plan::Script* script_;
  Rng rng_;
  Instant steady_;  ///< of the last event, without jitter
  Instant last_;
  Nanos first_;  ///< from the start to event 0
  std::uint64_t events_ = 0;
};

}  // namespace scoville::endpoint
