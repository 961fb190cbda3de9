#include "analyse/doubts.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace scoville::analyse {
namespace {

using event::Failure;
using event::Flag;
using event::RequestRecord;

constexpr double kLengthLimit = 0.01;   // relative, of a mean
constexpr std::size_t kFewProbes = 11;  // a median needs them

class Doubts {
 public:
  explicit Doubts(Analysis& out) : out_(out) {}
  void add(Doubtful code, std::size_t count, double share = 0, std::string detail = "") {
    out_.warnings.push_back({code, share, count, std::move(detail)});
  }
  /// Where a flag was set on any request.
  void add_flag(const Records& records, Flag flag, Doubtful code) {
    const auto count = static_cast<std::size_t>(std::count_if(
        records.begin(), records.end(), [&](const RequestRecord* each) { return each->flags.has(flag); }));
    if (count > 0) add(code, count, static_cast<double>(count) / static_cast<double>(records.size()));
  }

 private:
  Analysis& out_;
};

}  // namespace

void find_doubts(const Records& records, const run::RunResult& run, const plan::LoadPlan& plan, Analysis& out) {
  Doubts doubts(out);
  const double n = static_cast<double>(std::max<std::size_t>(1, records.size()));
  const auto failed = [&](Failure failure) { return out.failed[static_cast<std::size_t>(failure)]; };
  if (run.was_interrupted) doubts.add(Doubtful::interrupted, failed(Failure::aborted));
  if (!plan.has_schedule() && plan.max_concurrency == 0) doubts.add(Doubtful::no_schedule, records.size());
  if (out.schedule_met == false) doubts.add(Doubtful::schedule_not_met, 0, 0);
  const std::size_t asked = std::min(plan.max_concurrency, plan.num_prompts ? plan.num_prompts : plan.max_concurrency);
  if (!plan.has_schedule() && asked > 0 &&
      static_cast<double>(out.in_flight_peak) < kSteadyShare * static_cast<double>(asked)) {
    doubts.add(Doubtful::concurrency_not_reached, out.in_flight_peak, static_cast<double>(asked));
  }
  // What an interruption cut off is no fault of the server.
  const std::size_t cut_off = run.was_interrupted ? failed(Failure::aborted) : 0;
  if (const std::size_t faults = out.attempted - out.succeeded - cut_off; faults > 0) {
    doubts.add(Doubtful::failures, faults, static_cast<double>(faults) / n);
  }
  const std::size_t timeouts = failed(Failure::timeout_idle) + failed(Failure::timeout_request);
  if (timeouts > 0) doubts.add(Doubtful::timeouts, timeouts, static_cast<double>(timeouts) / n);
  const auto too_long =
      static_cast<std::size_t>(std::count_if(records.begin(), records.end(), [](const RequestRecord* each) {
        return each->sub_class == event::SubClass::context_length;
      }));
  if (too_long > 0) doubts.add(Doubtful::context_length, too_long, static_cast<double>(too_long) / n);

  double asked_tokens = 0, made_tokens = 0;
  std::size_t limited = 0, uncounted = 0;
  for (const RequestRecord* record : records) {
    if (!record->succeeded()) continue;
    if (!record->n_out && record->makes_tokens()) ++uncounted;
    if (record->max_tokens == 0 || !record->n_out) continue;
    ++limited;
    asked_tokens += record->max_tokens;
    made_tokens += static_cast<double>(*record->n_out);
  }
  if (uncounted > 0) doubts.add(Doubtful::tokens_not_counted, uncounted, static_cast<double>(uncounted) / n);
  if (out.short_outputs > 0) {
    doubts.add(Doubtful::short_outputs, out.short_outputs, static_cast<double>(out.short_outputs) / n);
  } else if (limited > 0 && std::fabs(made_tokens - asked_tokens) > kLengthLimit * asked_tokens) {
    doubts.add(Doubtful::output_lengths_differ, limited, made_tokens / asked_tokens);
  }

  if (const double share = out.zero_gap_share.value_or(0); share > kCoalescedLimit) {
    const double gaps = static_cast<double>(out.latency(Latency::icl).n);
    const auto zero_gaps = static_cast<std::size_t>(std::llround(share * gaps));
    doubts.add(Doubtful::coalesced_by_transport, zero_gaps, share);
  }
  doubts.add_flag(records, Flag::burst_stream, Doubtful::burst_streams);
  doubts.add_flag(records, Flag::not_streamed, Doubtful::not_streamed);
  if (out.tokens_per_event && *out.tokens_per_event > 1.05) {
    doubts.add(Doubtful::multi_token_chunks, 0, *out.tokens_per_event);
  }
  doubts.add_flag(records, Flag::empty_output, Doubtful::empty_outputs);
  doubts.add_flag(records, Flag::usage_differs, Doubtful::usage_differs);
  doubts.add_flag(records, Flag::malformed_frame, Doubtful::malformed_frames);
  if (out.resent > 0) doubts.add(Doubtful::stale_reuse, out.resent, static_cast<double>(out.resent) / n);
  const bool keeps_alive = std::all_of(run.loaders.begin(), run.loaders.end(),
                                       [](const load::LoaderReport& each) { return each.reused_connections; });
  if (!keeps_alive) doubts.add(Doubtful::no_keep_alive, 0);
  if (!out.instrument.has_kernel_stamps) doubts.add(Doubtful::no_kernel_stamps, 0);
  if (out.instrument.clock_steps > 0)
    doubts.add(Doubtful::clock_step, static_cast<std::size_t>(out.instrument.clock_steps));
  if (out.warmup && out.warmup->verdict == stats::SteadyVerdict::not_found) doubts.add(Doubtful::no_warmup_found, 0);
  if (drifts(out.validity.verdict) || (out.warmup && drifts(out.warmup->verdict))) doubts.add(Doubtful::drifting, 0);
  if (out.conversations && out.conversations->not_sent > 0)
    doubts.add(Doubtful::turns_not_sent, out.conversations->not_sent);
  if (out.probe && out.probe->attempted < kFewProbes) doubts.add(Doubtful::probe_few, out.probe->attempted);
  const Metric& first = out.latency(out.first_latency());
  const Quantile* const last = first.at(0.99);
  if (out.succeeded > 0 && last && !last->is_supported)
    doubts.add(Doubtful::few_samples, first.n, static_cast<double>(last->needed));
}

std::string_view name_of(Doubtful code) {
  constexpr std::array<std::string_view, 26> names{"no_schedule",
                                                   "schedule_not_met",
                                                   "concurrency_not_reached",
                                                   "few_samples",
                                                   "failures",
                                                   "timeouts",
                                                   "short_outputs",
                                                   "output_lengths_differ",
                                                   "coalesced_by_transport",
                                                   "burst_streams",
                                                   "not_streamed",
                                                   "multi_token_chunks",
                                                   "tokens_not_counted",
                                                   "no_kernel_stamps",
                                                   "clock_step",
                                                   "stale_reuse",
                                                   "malformed_frames",
                                                   "no_warmup_found",
                                                   "drifting",
                                                   "empty_outputs",
                                                   "context_length",
                                                   "interrupted",
                                                   "usage_differs",
                                                   "no_keep_alive",
                                                   "turns_not_sent",
                                                   "probe_few"};
  return names[static_cast<std::size_t>(code)];
}

}  // namespace scoville::analyse
