#pragma once

#include <optional>
#include <vector>

#include "analyse/latencies.hpp"
#include "analyse/quantiles.hpp"
#include "plan/bench_plan.hpp"
#include "run/runner.hpp"

namespace scoville::analyse {

/// How far behind the times of a trace the requests left: written − due. Conversations' later turns are left out: they
/// have no recorded time.
struct Lateness {
  std::size_t n = 0;
  Nanos p50{}, p99{}, largest{}, of_last{};  ///< `of_last`: of the request with the latest recorded time
  std::size_t held = 0;                      ///< of them, those that waited for the cap
};
std::optional<Lateness> lateness(const Records& records);

/// Requests of one turn, or of several late ones.
struct TurnBucket {
  std::uint32_t from = 0, to = 0;  ///< turns, from 1, both included
  std::size_t n = 0;
  Metric ttft, tpot;
  std::optional<double> mean_prompt_tokens;
  std::optional<double> cached_share;  ///< of the prompt tokens, where the server says it
};

/// What a load of conversations was.
struct Conversations {
  std::size_t begun = 0, requests = 0;
  std::uint32_t most_turns = 0;
  std::size_t not_sent = 0;  ///< turns of conversations that a failure ended
  std::vector<TurnBucket> turns;
};
/// Empty where no request followed another one.
std::optional<Conversations> conversations(const Records& records, std::size_t not_sent,
                                           const std::vector<double>& quantiles);

/// Requests chosen to be given up. Those that ended first are left out of the figures too: else the quick ones of
/// them would weigh more than they should.
struct Cancelled {
  Nanos after{};
  std::size_t chosen = 0, given_up = 0, ended_first = 0, failed = 0;
};
std::optional<Cancelled> cancelled(const std::vector<event::RequestRecord>& chosen, const plan::Cancellation& plan);

/// The thin load beside the load: what one more user would see. Its arrivals do not wait for the server, so that its
/// latencies count from due.
struct Probe {
  double rate_per_s = 0;
  std::size_t attempted = 0, succeeded = 0;
  Metric ttft, tpot, e2e;
};
std::optional<Probe> probe(const std::vector<event::RequestRecord>& probes, const plan::LoadPlan& plan,
                           const std::vector<double>& quantiles);

}  // namespace scoville::analyse
