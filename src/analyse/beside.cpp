#include "analyse/beside.hpp"

#include <algorithm>
#include <bit>
#include <map>

#include "stats/quantile.hpp"

namespace scoville::analyse {
namespace {

using event::RequestRecord;

Records pointers_to(const std::vector<RequestRecord>& records) {
  Records out;
  for (const RequestRecord& each : records) out.push_back(&each);
  return out;
}

/// 1, 2, 3–4, 5–8, …: the turn that ends the class of `turn`, which counts from 1.
std::uint32_t class_of(std::uint32_t turn) { return std::bit_ceil(turn); }

TurnBucket bucket_of(std::uint32_t to, const Records& members, const std::vector<double>& quantiles) {
  TurnBucket bucket;
  bucket.to = to;
  bucket.from = to <= 2 ? to : to / 2 + 1;
  bucket.n = members.size();
  bucket.ttft = summarise(ttft(members, Zero::by_rule), quantiles);
  bucket.tpot = summarise(tpot(members), quantiles);
  double prompt = 0, cached = 0, prompt_of_cached = 0;
  std::size_t known = 0;
  for (const RequestRecord* each : members) {
    if (!each->prompt_tokens) continue;
    ++known;
    prompt += static_cast<double>(*each->prompt_tokens);
    if (!each->cached_tokens) continue;
    cached += static_cast<double>(*each->cached_tokens);
    prompt_of_cached += static_cast<double>(*each->prompt_tokens);
  }
  if (known > 0) bucket.mean_prompt_tokens = prompt / static_cast<double>(known);
  if (prompt_of_cached > 0) bucket.cached_share = cached / prompt_of_cached;
  return bucket;
}

}  // namespace

std::optional<Lateness> lateness(const Records& records) {
  std::vector<std::int64_t> late;
  Lateness out;
  Instant latest = Instant::min();
  for (const RequestRecord* each : records) {
    if (!each->due || !each->written || each->turn > 0 || each->attempt > 0) continue;
    late.push_back((*each->written - *each->due).count());
    out.held += each->was_held;
    if (*each->due < latest) continue;
    latest = *each->due;
    out.of_last = Nanos(late.back());
  }
  if (late.empty()) return std::nullopt;
  std::sort(late.begin(), late.end());
  out.n = late.size();
  out.p50 = Nanos(late[*stats::nearest_rank(late.size(), 0.5) - 1]);
  out.p99 = Nanos(late[*stats::nearest_rank(late.size(), 0.99) - 1]);
  out.largest = Nanos(late.back());
  return out;
}

std::optional<Conversations> conversations(const Records& records, std::size_t not_sent,
                                           const std::vector<double>& quantiles) {
  Conversations out;
  out.not_sent = not_sent;
  std::map<std::uint32_t, Records> classes;
  for (const RequestRecord* each : records) {
    if (each->attempt > 0) continue;
    ++out.requests;
    out.begun += each->turn == 0;
    out.most_turns = std::max(out.most_turns, each->turn + 1);
    classes[class_of(each->turn + 1)].push_back(each);
  }
  if (out.most_turns < 2 && not_sent == 0) return std::nullopt;
  for (const auto& [to, members] : classes) out.turns.push_back(bucket_of(to, members, quantiles));
  return out;
}

std::optional<Cancelled> cancelled(const std::vector<RequestRecord>& chosen, const plan::Cancellation& plan) {
  if (plan.share <= 0) return std::nullopt;
  Cancelled out;
  out.after = plan.after;
  out.chosen = chosen.size();
  for (const RequestRecord& each : chosen) {
    ++(each.failure == event::Failure::cancelled ? out.given_up : each.succeeded() ? out.ended_first : out.failed);
  }
  return out;
}

std::optional<Probe> probe(const std::vector<RequestRecord>& probes, const plan::LoadPlan& plan,
                           const std::vector<double>& quantiles) {
  if (!plan.probe_rate) return std::nullopt;
  const Records records = pointers_to(probes);
  Probe out;
  out.rate_per_s = *plan.probe_rate;
  out.attempted = records.size();
  for (const RequestRecord* each : records) out.succeeded += each->succeeded();
  out.ttft = summarise(ttft(records, Zero::by_rule), quantiles);
  out.tpot = summarise(tpot(records), quantiles);
  out.e2e = summarise(e2e(records, Zero::by_rule), quantiles);
  return out;
}

}  // namespace scoville::analyse
