#include "analyse/analysis.hpp"

#include <algorithm>
#include <cmath>

#include "analyse/doubts.hpp"
#include "analyse/gap_pool.hpp"
#include "analyse/token_rate.hpp"
#include "stats/quantile.hpp"

namespace scoville::analyse {
namespace {

using event::Flag;
using event::RequestRecord;

constexpr double kSteadyShare = 0.95;  // of the asked concurrency
constexpr double kLengthLimit = 0.01;  // relative, of a mean
constexpr Nanos kRateBin = std::chrono::seconds(1);

Window full_window(const Records& records) {
  Window window{Instant::max(), Instant::min()};
  for (const RequestRecord* record : records) {
    if (const Moment zero = record->zero() ? record->zero() : record->dequeued)
      window.from = std::min(window.from, *zero);
    for (const Moment at : {record->end, record->failed_at, record->written}) {
      if (at) window.to = std::max(window.to, *at);
    }
  }
  if (window.to < window.from) return {};
  return window;
}

std::optional<Nanos> median(std::vector<Nanos> values) {
  if (values.empty()) return std::nullopt;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void count_outcomes(const Records& records, Analysis& out) {
  out.attempted = records.size();
  for (const RequestRecord* record : records) {
    ++out.failed[static_cast<std::size_t>(record->failure)];
    out.resent += record->resends;
    if (record->succeeded() && record->flags.has(Flag::short_output)) ++out.short_outputs;
    out.retransmits += record->retransmits;
    out.makes_tokens = out.makes_tokens && record->makes_tokens();
  }
  out.succeeded = out.failed[0];
  out.failed[0] = 0;
}

void measure_latencies(const Records& records, const std::vector<double>& quantiles, Analysis& out) {
  const auto put = [&](std::array<Metric, kLatencyCount>& where, Latency which, const std::vector<Sample>& samples) {
    where[static_cast<std::size_t>(which)] = summarise(samples, quantiles);
  };
  put(out.latencies, Latency::ttft, ttft(records, Zero::by_rule));
  put(out.latencies, Latency::ttfa, ttfa(records, Zero::by_rule));
  put(out.latencies, Latency::tpot, tpot(records));
  put(out.latencies, Latency::ntpot, ntpot(records));
  put(out.latencies, Latency::e2e, e2e(records, Zero::by_rule));
  put(out.from_written, Latency::ttft, ttft(records, Zero::written));
  put(out.from_written, Latency::ttfa, ttfa(records, Zero::written));
  put(out.from_written, Latency::e2e, e2e(records, Zero::written));
}

/// What is gathered from the token events, in one pass over the records.
class TokenPass {
 public:
  /// `records`: those that count; their number sets the batches of the pooled gaps.
  TokenPass(const Records& records, const Analysis& so_far, bool is_closed_loop)
      : gaps_(static_cast<std::size_t>(std::count_if(records.begin(), records.end(),
                                                     [](const RequestRecord* r) { return GapPool::may_count(*r); }))),
        sums_(so_far.full, so_far.steady),
        rates_(so_far.full, kRateBin),
        error_(so_far.full),
        validity_(records, so_far.full, is_closed_loop) {}

  /// A request of the warm-up that was cut off adds to the rates of its time, and to nothing else.
  void add(const RequestRecord& record, bool counts) {
    sums_.add(record);
    rates_.add(record);
    validity_.add(record);
    error_.add(record, counts);
    if (!counts) return;
    const std::vector<Nanos> own = event::chunk_gaps(record);
    gaps_.add(record, own);
    reading_.add(record, own);
    vllm_.add(record);
    emit_.add(record);
    if (record.succeeded() && has_credible_count(record)) events_ += record.tokens.size();
  }

  void put(const std::vector<double>& quantiles, Analysis& out) const {
    out.latencies[static_cast<std::size_t>(Latency::icl)] = gaps_.metric(quantiles);
    out.zero_gap_share = gaps_.zero_share();
    out.largest_gap = out.latency(Latency::icl).largest;
    out.vllm = vllm_.view();
    out.rates = sums_.rates();
    if (out.rates.output_tokens_per_s.full) out.peak_output_tokens_per_s = peak_rate(rates_.per_second());
    out.emit = emit_.error();
    out.validity = validity_.validity();
    if (events_ > 0) out.tokens_per_event = static_cast<double>(out.total_output_tokens) / static_cast<double>(events_);
  }
  const ReadingPool& reading() const { return reading_; }
  const ErrorPool& error() const { return error_; }

 private:
  GapPool gaps_;
  ReadingPool reading_;
  VllmPool vllm_;
  EmitPool emit_;
  ThroughputSums sums_;
  TokenRates rates_;
  ErrorPool error_;
  ValidityJudge validity_;
  std::size_t events_ = 0;
};

/// Requests per second that really left. With a schedule, gaps between writes: 100 requests at 10/s take 9.9 s to send.
/// Without one, requests over the run: the first of a closed loop leave all at once, and would be counted as a rate.
std::optional<double> achieved_rate(const Records& records, const plan::LoadPlan& plan, const Window& full) {
  std::vector<Instant> writes;
  for (const RequestRecord* record : records) {
    if (record->written) writes.push_back(*record->written);
  }
  std::sort(writes.begin(), writes.end());
  const bool is_closed = !plan.has_schedule() && plan.max_concurrency > 0;
  const std::size_t n = is_closed ? writes.size() : std::max<std::size_t>(1, writes.size()) - 1;
  const Nanos span = is_closed ? full.length() : n > 0 ? writes.back() - writes.front() : Nanos::zero();
  if (n == 0 || span <= Nanos::zero()) return std::nullopt;
  return static_cast<double>(n) / to_seconds(span);
}

/// As the schedule asks: of a trace, by the times of the part that was replayed. Empty for conversations, whose later
/// turns no schedule sets.
std::optional<double> offered_rate(const Records& records, const plan::LoadPlan& plan) {
  const auto has_turns = [](const RequestRecord* each) { return each->turn > 0; };
  if (std::any_of(records.begin(), records.end(), has_turns)) return std::nullopt;
  if (!plan.arrivals.trace_speed) return plan.arrivals.rate;
  std::vector<Instant> due;
  for (const RequestRecord* each : records) {
    if (each->due) due.push_back(*each->due);
  }
  if (due.size() < 2) return std::nullopt;
  const auto [first, last] = std::minmax_element(due.begin(), due.end());
  if (*last <= *first) return std::nullopt;
  return static_cast<double>(due.size() - 1) / to_seconds(*last - *first);
}

/// `all` holds also the requests of a warm-up that was cut off: what the server had in flight includes them.
void measure_load(const Records& records, const Records& all, const plan::LoadPlan& plan,
                  const std::optional<Nanos>& median_ttft, Analysis& out) {
  const InFlight in_flight(all);
  out.in_flight_peak = in_flight.peak(out.full);
  out.in_flight_mean = in_flight.mean(out.full);
  if (plan.has_schedule()) {
    out.steady = steady_by_issue(records);
    out.offered_per_s = offered_rate(records, plan);
    std::vector<std::int64_t> late;
    for (const RequestRecord* record : records) {
      if (record->due && record->written) late.push_back((*record->written - *record->due).count());
    }
    std::sort(late.begin(), late.end());
    if (const auto rank = stats::nearest_rank(late.size(), 0.99)) {
      out.schedule_met = late[*rank - 1] <= tolerable_send_lag(median_ttft).count();
    }
  } else if (plan.max_concurrency > 0) {
    const std::size_t reachable =
        plan.num_prompts ? std::min(plan.max_concurrency, plan.num_prompts) : plan.max_concurrency;
    out.steady = in_flight.at_least(kSteadyShare * static_cast<double>(reachable), out.full);
  }
  out.achieved_per_s = achieved_rate(records, plan, out.full);
}

/// What stands beside the figures of the load itself.
void measure_beside(const Records& records, const run::RunResult& run, const plan::LoadPlan& plan,
                    const std::vector<double>& quantiles, Analysis& out) {
  std::size_t not_sent = 0;
  for (const load::LoaderReport& each : run.loaders) not_sent += each.turns_not_sent;
  if (plan.arrivals.trace_speed) out.lateness = lateness(records);
  out.conversations = conversations(records, not_sent, quantiles);
  out.cancelled = cancelled(run.chosen, plan.cancel);
  out.probe = probe(run.probes, plan, quantiles);
}

void measure_tokens(const Records& records, Analysis& out) {
  std::size_t prompts = 0, answers = 0;
  std::vector<Nanos> rtts, connects, handshakes;
  for (const RequestRecord* record : records) {
    if (record->rtt_us) rtts.push_back(std::chrono::microseconds(record->rtt_us));
    if (record->tcp) connects.push_back(*record->tcp);
    if (record->tls) handshakes.push_back(*record->tls);
    if (!record->succeeded()) continue;
    if (record->prompt_tokens) {
      ++prompts;
      out.total_prompt_tokens += static_cast<std::size_t>(*record->prompt_tokens);
    }
    if (has_credible_count(*record)) {
      ++answers;
      out.total_output_tokens += static_cast<std::size_t>(*record->n_out);
    }
  }
  if (prompts > 0) out.mean_prompt_tokens = static_cast<double>(out.total_prompt_tokens) / static_cast<double>(prompts);
  if (answers > 0) out.mean_output_tokens = static_cast<double>(out.total_output_tokens) / static_cast<double>(answers);
  out.rtt = median(std::move(rtts));
  out.connect = median(std::move(connects));
  out.tls_handshake = median(std::move(handshakes));
}

void check_prompts(const Records& records, const AnalysisOptions& options, Analysis& out) {
  std::vector<dataset::AskedAndMeasured> lengths;
  std::vector<dataset::CachedTokens> cached;
  std::vector<std::uint64_t> hashes;
  for (const RequestRecord* record : records) {
    hashes.push_back(record->prompt_hash);
    if (!record->prompt_tokens) continue;
    if (record->asked_prompt_tokens > 0) lengths.push_back({record->asked_prompt_tokens, *record->prompt_tokens});
    if (record->cached_tokens) cached.push_back({*record->prompt_tokens, *record->cached_tokens});
  }
  out.prompt_lengths = dataset::check_lengths(lengths);
  out.cached = dataset::check_cached(cached, options.fixed_prompt_tokens);
  if (out.cached) out.cached->is_planned = options.shares_prefixes;
  out.distinct = dataset::check_distinct(hashes);
}

/// Classes of prompt length by powers of two, so that a class of long prompts cannot hide behind short ones.
std::vector<Bucket> length_buckets(const Records& records, const std::vector<double>& quantiles) {
  std::map<int, Records> classes;
  std::int64_t least = INT64_MAX, most = 0;
  for (const RequestRecord* record : records) {
    if (!record->prompt_tokens || *record->prompt_tokens < 1) continue;
    least = std::min(least, *record->prompt_tokens);
    most = std::max(most, *record->prompt_tokens);
    classes[static_cast<int>(std::log2(static_cast<double>(*record->prompt_tokens)))].push_back(record);
  }
  std::vector<Bucket> buckets;
  if (most == 0 || most < least * 2 || classes.size() < 2) return buckets;
  for (const auto& [exponent, members] : classes) {
    Bucket bucket;
    bucket.from = 1u << exponent;
    bucket.to = (2u << exponent) - 1;
    bucket.n = members.size();
    bucket.ttft = summarise(ttft(members, Zero::by_rule), quantiles);
    bucket.tpot = summarise(tpot(members), quantiles);
    buckets.push_back(std::move(bucket));
  }
  return buckets;
}

}  // namespace

std::string_view name_of(Latency latency) {
  constexpr std::array<std::string_view, kLatencyCount> names{"ttft", "ttfa", "tpot", "ntpot", "icl", "e2e"};
  return names[static_cast<std::size_t>(latency)];
}

Result<Analysis> analyse(const run::RunResult& run, const plan::LoadPlan& plan, const AnalysisOptions& options) {
  Analysis out;
  Records records;
  records.reserve(run.records.size());
  for (const RequestRecord& record : run.records) records.push_back(&record);
  Records all = records;
  out.warmup_requests = run.warmups;
  Instant counts_from = Instant::min();
  if (plan.finds_warmup && !records.empty()) {
    const Window whole = full_window(records);
    WarmupFinder finder(records, whole);
    if (Status read = run.for_each_record([&](const RequestRecord& each) { finder.add(each); }); !read)
      return read.error();
    out.warmup = finder.found();
    counts_from = whole.from + out.warmup->length;
    std::erase_if(records, [&](const RequestRecord* each) { return each->zero() && *each->zero() < counts_from; });
    out.warmup_requests += all.size() - records.size();
  }
  out.full = full_window(records);
  count_outcomes(records, out);
  measure_latencies(records, options.quantiles, out);
  const Quantile* const ttft_median = out.latency(out.first_latency()).at(0.5);
  const std::optional<Nanos> median_ttft = ttft_median ? ttft_median->value : std::nullopt;
  for (const auto* beside : {&run.probes, &run.chosen}) {
    for (const RequestRecord& each : *beside) all.push_back(&each);
  }
  measure_load(records, all, plan, median_ttft, out);
  measure_beside(records, run, plan, options.quantiles, out);
  if (out.warmup && out.warmup->verdict == stats::SteadyVerdict::not_found) out.steady.reset();
  measure_tokens(records, out);

  TokenPass pass(records, out, !plan.has_schedule() && plan.max_concurrency > 0);
  const Status read = run.for_each_record(
      [&](const RequestRecord& each) { pass.add(each, !each.zero() || *each.zero() >= counts_from); });
  if (!read) return read.error();
  pass.put(options.quantiles, out);
  out.instrument = judge_instrument(records, pass.reading(), {run.loaders, run.steal_share, run.drops}, median_ttft);
  out.error_bound = pass.error().bound(options.calibration.get(), {plan.threads, options.transport}, out.instrument);
  out.goodput = goodput(records, options.limits, out.full.length());
  check_prompts(records, options, out);
  out.buckets = length_buckets(records, options.quantiles);
  find_doubts(records, run, plan, out);
  return out;
}

}  // namespace scoville::analyse
