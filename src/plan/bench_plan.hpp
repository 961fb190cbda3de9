#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/units.hpp"
#include "plan/dialect.hpp"

namespace scoville::plan {

/// What each request asks for, apart from its prompt.
struct RequestShape {
  Dialect dialect = Dialect::openai;
  std::string model;
  std::uint32_t max_tokens = 0;  ///< for prompts that bring no limit of their own; 0: none is sent
  bool ignore_eos = false;
  std::uint32_t n = 1;
  std::uint32_t inputs = 1;  ///< texts of one request; more than one only for embeddings
  bool include_usage = true;
  std::string max_tokens_field = "max_tokens";
  std::optional<double> temperature, top_p;
  std::string extra_body;  ///< a JSON object whose members are added to (and win over) ours; empty: none
  std::vector<std::pair<std::string, std::string>> headers;
  std::string api_key;  ///< sent as a bearer token; never stored, never printed
};

struct Timeouts {
  Nanos request = std::chrono::seconds(600);     ///< from written to the end
  Nanos idle = std::chrono::seconds(300);        ///< without a byte
  Nanos token_idle = std::chrono::seconds(300);  ///< without a token event
  Nanos connect = std::chrono::seconds(10);
  Nanos linger = std::chrono::milliseconds(300);  ///< after the end marker, for the end of the body
};

enum class RampUp { none, linear, exponential };

/// When requests are due.
struct Arrivals {
  /// Requests per second; empty: no schedule, a request leaves when a slot is free (or at once, without a cap).
  std::optional<double> rate;
  /// Shape of the gamma distribution of the gaps: 1 Poisson, below 1 bursty, above 1 more regular.
  double burstiness = 1.0;
  bool is_constant = false;
  RampUp ramp_up = RampUp::none;
  double ramp_start = 0, ramp_end = 0;  ///< requests per second at the first and at the last request
  /// The recorded times of a trace instead, so many times as fast; `rate` is then their mean, which nothing draws from.
  std::optional<double> trace_speed;
  std::uint64_t seed = 0;
};

/// Requests that this client gives up on purpose, as users do who press stop.
struct Cancellation {
  double share = 0;                       ///< of the requests, 0 … 1, drawn by the seed of the arrivals
  Nanos after = std::chrono::seconds(1);  ///< from written
};

struct LoadPlan {
  Arrivals arrivals;
  std::size_t max_concurrency = 0;  ///< 0: no cap
  std::size_t num_prompts = 0;      ///< 0: until `duration` is over
  std::optional<Nanos> duration;    ///< no request is issued after it
  std::size_t num_warmups = 0;
  bool finds_warmup = false;  ///< the steady part is found from the run itself
  unsigned threads = 1;
  Timeouts timeouts;
  bool keeps_text = false;
  bool slot_waits_for_body = false;  ///< the next request waits for the end of the body, to use the same connection
  unsigned retries = 0;              ///< of a failed request, each recorded; 0 unless asked for
  bool is_offline = false;           ///< a whole job, each row of its file once
  Cancellation cancel;
  std::optional<double> probe_rate;  ///< requests per second of a thin Poisson load beside this one

  bool has_schedule() const { return arrivals.rate.has_value(); }
  /// Threads that make records: those of the load, and that of the probe.
  unsigned all_threads() const { return threads + (probe_rate ? 1 : 0); }
};

/// A limit on a latency that a good request meets: "ttft:200" in ms.
struct Limits {
  std::optional<Nanos> ttft, tpot, e2e;
  bool any() const { return ttft || tpot || e2e; }
};

}  // namespace scoville::plan
