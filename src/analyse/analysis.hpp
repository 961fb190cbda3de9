#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyse/beside.hpp"
#include "analyse/emit.hpp"
#include "analyse/error_bound.hpp"
#include "analyse/goodput.hpp"
#include "analyse/instrument.hpp"
#include "analyse/quantiles.hpp"
#include "analyse/throughput.hpp"
#include "analyse/validity.hpp"
#include "analyse/vllm_view.hpp"
#include "analyse/warmup.hpp"
#include "dataset/checks.hpp"
#include "run/runner.hpp"

namespace scoville::analyse {

/// The latencies of docs/method.md, in the order of every table.
enum class Latency { ttft, ttfa, tpot, ntpot, icl, e2e };
inline constexpr std::size_t kLatencyCount = 6;
std::string_view name_of(Latency latency);

/// A reason to doubt a figure, as a code with its numbers; report turns it into a sentence.
enum class Doubtful {
  no_schedule,  ///< neither rate nor cap: everything at once
  schedule_not_met,
  concurrency_not_reached,
  few_samples,  ///< P99 is shown, but not supported
  failures,
  timeouts,
  short_outputs,
  output_lengths_differ,  ///< mean output off the asked length by over 1 %
  coalesced_by_transport,
  burst_streams,
  not_streamed,
  multi_token_chunks,
  tokens_not_counted,
  no_kernel_stamps,
  clock_step,
  stale_reuse,
  malformed_frames,
  no_warmup_found,
  drifting,
  empty_outputs,
  context_length,
  interrupted,
  usage_differs,  ///< token counts of the server that cannot be right
  no_keep_alive,  ///< the server ends its connection after each answer
  turns_not_sent,
  probe_few,
};
std::string_view name_of(Doubtful code);

struct Warning {
  Doubtful code;
  double share = 0;  ///< of requests or events, where that is what it is about
  std::size_t count = 0;
  std::string detail;
};

/// Latencies of one class of prompt length.
struct Bucket {
  std::uint32_t from = 0, to = 0;  ///< prompt tokens, both included
  std::size_t n = 0;
  Metric ttft, tpot;
};

/// Everything that a run says, as numbers. Pure: a newer method reads an old run anew.
struct Analysis {
  Window full;  ///< first zero → last end
  std::optional<Window> steady;
  std::optional<FoundWarmup> warmup;  ///< where the run was asked to find its own
  std::size_t warmup_requests = 0;    ///< cut off by it, or sent apart beforehand

  std::size_t attempted = 0, succeeded = 0, short_outputs = 0, resent = 0;
  std::array<std::size_t, event::kFailureCount> failed{};
  bool makes_tokens = true;  ///< false: answers are no text (embeddings), so TTFT, TPOT and output are not defined

  Latency first_latency() const { return makes_tokens ? Latency::ttft : Latency::e2e; }

  std::optional<double> offered_per_s, achieved_per_s;
  double in_flight_mean = 0;
  std::size_t in_flight_peak = 0;
  std::optional<bool> schedule_met;  ///< empty where there is no schedule

  Instrument instrument;
  ErrorBound error_bound;
  std::array<Metric, kLatencyCount> latencies;     ///< from zero by rule
  std::array<Metric, kLatencyCount> from_written;  ///< TTFT, TTFA, E2E from the write; the others empty
  VllmView vllm;
  Throughput rates;
  Validity validity;  ///< did the part that counts stay on one level?
  std::optional<double> peak_output_tokens_per_s;
  std::optional<GoodputFigure> goodput;
  std::optional<Lateness> lateness;  ///< only of a trace
  std::optional<Conversations> conversations;
  std::optional<Cancelled> cancelled;
  std::optional<Probe> probe;
  std::optional<EmitError> emit;  ///< against a scripted endpoint on this machine
  std::optional<double> tokens_per_event;
  std::optional<double> mean_prompt_tokens, mean_output_tokens;
  std::size_t total_prompt_tokens = 0, total_output_tokens = 0;
  std::optional<double> zero_gap_share;  ///< of the gaps between token events, those of 0
  std::optional<Nanos> largest_gap;
  std::optional<Nanos> rtt;  ///< median of TCP_INFO's smoothed round trip time
  std::size_t retransmits = 0;
  std::optional<Nanos> connect, tls_handshake;  ///< medians over the connections that requests opened

  std::optional<dataset::LengthCheck> prompt_lengths;
  std::optional<dataset::CacheCheck> cached;
  std::optional<dataset::DistinctCheck> distinct;
  std::vector<Bucket> buckets;  ///< only where prompt lengths differ

  std::vector<Warning> warnings;

  const Metric& latency(Latency which) const { return latencies[static_cast<std::size_t>(which)]; }
};

struct AnalysisOptions {
  std::vector<double> quantiles = default_quantiles();
  plan::Limits limits;
  std::int64_t fixed_prompt_tokens = 0;  ///< template and first word: what a prefix cache may share rightly
  bool shares_prefixes = false;          ///< the load does, on purpose
  Transport transport = Transport::tcp;
  std::shared_ptr<const Calibration> calibration;  ///< that of the machine the run was made on; null: none
};

/// Reads the token events once (twice where the run finds its own warm-up), however many there are. The Error is the
/// source's: the records could not be read.
Result<Analysis> analyse(const run::RunResult& run, const plan::LoadPlan& plan, const AnalysisOptions& options);

}  // namespace scoville::analyse
