// store_scale FILE [REQUESTS [TOKENS]]: how fast records go into a store, and how fast they are analysed.
//
// Made records (jitter on every time, as a real client has it) are handed to the recorder as fast as it takes them,
// from one thread, then read back and analysed as `scoville runs show` does. Prints the rates, the bytes per token,
// what was dropped, and the largest resident set.
#include <fmt/format.h>
#include <sys/resource.h>

#include <cstdlib>
#include <thread>

#include "analyse/analysis.hpp"
#include "base/clock.hpp"
#include "base/rng.hpp"
#include "record/recorder.hpp"
#include "store/run_store.hpp"

using namespace scoville;

namespace {

event::RequestRecord made(std::uint64_t index, std::size_t tokens, Rng& rng) {
  using namespace std::chrono_literals;
  event::RequestRecord r;
  r.index = index;
  const Instant due(Nanos(static_cast<std::int64_t>(index) * 500'000));
  r.due = r.dequeued = due;
  r.connected = due - 1s;
  r.written = due + Nanos(5'000 + rng.below(20'000));
  r.headers = *r.written + Nanos(1'000'000 + rng.below(500'000));
  Instant at = *r.headers + Nanos(20'000'000 + rng.below(30'000'000));
  r.first_byte = r.first_chunk = r.first_token = r.first_answer = at;
  r.tokens.resize(tokens);
  for (event::TokenEvent& each : r.tokens) {
    each.at = at;
    each.read_lag_ns = static_cast<std::uint32_t>(4'000 + rng.below(40'000));
    each.since_emit_ns = static_cast<std::int32_t>(2'000 + rng.below(3'000));
    at += Nanos(10'000'000 + rng.below(60'000));
  }
  r.last_token = r.last_chunk = r.tokens.back().at;
  r.end = *r.last_token + Nanos(30'000);
  r.http_status = 200;
  r.finish_reason = "length";
  r.n_out = static_cast<std::int64_t>(tokens);
  r.n_out_source = event::CountSource::usage;
  r.max_tokens = static_cast<std::uint32_t>(tokens);
  r.prompt_tokens = r.asked_prompt_tokens = 512;
  r.prompt_hash = rng();
  r.answer_hash = rng();
  return r;
}

double seconds_since(Instant from) { return to_seconds(now() - from); }

double peak_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: store_scale FILE [REQUESTS [TOKENS]]\n");
    return 2;
  }
  const std::uint64_t requests = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1'000'000;
  const std::size_t tokens = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 100;
  Result<store::RunStore> store = store::RunStore::open(argv[1]);
  if (!store) {
    fmt::print(stderr, "{}\n", store.error().message);
    return 1;
  }
  const std::string id = fmt::format("scale-{}", wall_now().count());
  auto writer = store->begin({id, "bench", "", "", json::object{}});
  if (!writer) return 1;

  Rng rng(1);
  const Instant began = now();
  record::Recorder recorder(**writer, 1);
  for (std::uint64_t i = 0; i < requests; ++i) {
    recorder.sink(0).take(made(i, tokens, rng));
    // As fast as the writer takes it, not as fast as memory fills: a second of backlog at most.
    while (recorder.backlog() > 50'000) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  const auto report = recorder.finish();
  static_cast<void>((*writer)->finish(
      json::object{}, report.failure ? store::RunWriter::Ending::incomplete : store::RunWriter::Ending::finished));
  const double wrote = seconds_since(began);
  const auto info = store->find(id);
  if (!info) return 1;
  const auto bytes = store->bytes(id);
  fmt::print("wrote    {} requests, {} events in {:.1f} s ({:.0f} events/s), {} dropped, longest commit {:.0f} ms\n",
             info->front().requests, info->front().events, wrote, static_cast<double>(info->front().events) / wrote,
             report.drops, to_millis(report.longest_commit));
  fmt::print("on disk  {:.2f} bytes per token, heads included\n",
             static_cast<double>(bytes ? *bytes : 0) / static_cast<double>(info->front().events));

  const Instant reading = now();
  run::RunResult result;
  result.loaders.resize(1);
  auto records = store->records(id);
  if (!records || !result.take_records(*records)) return 1;
  const double heads = seconds_since(reading);
  plan::LoadPlan plan;
  plan.arrivals.rate = 2000;
  const auto analysis = analyse::analyse(result, plan, {});
  if (!analysis) return 1;
  fmt::print("analysed {} requests in {:.1f} s (heads {:.1f} s), largest resident set {:.0f} MiB\n",
             analysis->attempted, seconds_since(reading), heads, peak_mib());
  return report.drops == 0 && !report.failure ? 0 : 1;
}
