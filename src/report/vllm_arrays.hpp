#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "run/runner.hpp"

namespace scoville::report {

/// One request in the terms of vLLM's client, in seconds.
///
/// Its clock starts at `written`. The first token is the first delta with text (a chunk that only names a role is not
/// one); the latency ends with the last chunk that named a choice. A failed request has zeros and the words of its
/// failure, so that the place of a request is the same in all arrays.
struct VllmRequest {
  std::uint64_t index = 0;
  std::uint16_t attempt = 0;
  bool succeeded = false;
  double start = 0;  ///< on CLOCK_MONOTONIC, as Python's perf_counter has it on Linux
  double queue = 0;  ///< due, but held by the cap, for so long
  double ttft = 0, latency = 0;
  std::vector<double> itl;  ///< gaps between the events with text
  std::optional<std::int64_t> input_tokens, output_tokens;
  std::string text, error;
  Moment due;
};

/// All attempts by index, then attempt.
Result<std::vector<VllmRequest>> vllm_requests(const run::RunResult& run);

/// (latency − TTFT) / (n − 1); empty where n is unknown or below 2.
std::optional<double> vllm_tpot(const VllmRequest& request);

/// Most output tokens in one second, seconds counted from the first start. The tokens of a request are spread evenly
/// over its events.
double most_tokens_per_s(const std::vector<VllmRequest>& requests);

/// Most successes under way at the same instant.
std::size_t most_in_flight(const std::vector<VllmRequest>& requests);

}  // namespace scoville::report
