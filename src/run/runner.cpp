#include "run/runner.hpp"

#include <algorithm>
#include <barrier>
#include <cmath>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <numeric>
#include <thread>
#include <tuple>

#include "run/steal.hpp"
#include "text/catalogue.hpp"
#include "wire/rlimit.hpp"

namespace scoville::run {
namespace {

constexpr Nanos kHeadStart = std::chrono::milliseconds(20);  // between the last thread being ready and t = 0
constexpr std::size_t kMostWarmConnections = 10000;
constexpr double kWarmSeconds = 0.1;  // of arrivals, as connections opened beforehand
// Prompts that the measured part never uses.
constexpr std::uint64_t kWarmupIndex = std::uint64_t{1} << 48, kProbeIndex = std::uint64_t{1} << 47;

struct Worker {
  load::LiveCounters live;
  std::unique_ptr<load::Loader> loader;
  Status status = Done{};
};

/// The part of `total` that falls to `thread`, so that the parts add up; 0 stays 0 (no cap).
std::size_t share(std::size_t total, unsigned thread, unsigned threads) {
  return total / threads + (thread < total % threads ? 1 : 0);
}

/// The thin load: its own thread and arrivals, no cap, until the load itself has sent all of its requests.
plan::LoadPlan probe_plan(const plan::LoadPlan& plan) {
  plan::LoadPlan probe = plan;
  probe.arrivals = plan::Arrivals();
  probe.arrivals.rate = plan.probe_rate;
  probe.arrivals.seed = plan.arrivals.seed + 1;
  probe.max_concurrency = probe.num_prompts = 0;
  probe.threads = 1;
  return probe;
}

/// The records that figures are made of.
bool belongs_to_load(const event::RequestRecord& record) {
  return !record.is_warmup && !record.is_probe && !record.is_to_cancel;
}

std::size_t connections_to_warm(const plan::LoadPlan& plan) {
  const std::size_t most = plan.num_prompts ? std::min(plan.num_prompts, kMostWarmConnections) : kMostWarmConnections;
  if (plan.max_concurrency != 0) return std::min(plan.max_concurrency, most);
  if (!plan.has_schedule()) return most;
  return std::min(most, 4 + static_cast<std::size_t>(std::ceil(*plan.arrivals.rate * kWarmSeconds)));
}

/// Of the load itself.
Progress sum(const std::vector<std::unique_ptr<Worker>>& workers, unsigned threads) {
  Progress progress;
  for (unsigned thread = 0; thread < threads; ++thread) {
    const auto& worker = workers[thread];
    progress.issued += worker->live.issued.load(std::memory_order_relaxed);
    progress.succeeded += worker->live.succeeded.load(std::memory_order_relaxed);
    progress.failed += worker->live.failed.load(std::memory_order_relaxed);
    progress.in_flight += worker->live.in_flight.load(std::memory_order_relaxed);
    progress.output_tokens += worker->live.output_tokens.load(std::memory_order_relaxed);
  }
  return progress;
}

}  // namespace

Status RunResult::for_each_record(const std::function<void(const event::RequestRecord&)>& each) const {
  if (source) {
    return source->for_each([&](const event::RequestRecord& record) {
      if (belongs_to_load(record)) each(record);
    });
  }
  for (const event::RequestRecord& record : records) each(record);
  return Done{};
}

Status RunResult::take_records(std::shared_ptr<const event::RecordSource> from) {
  records.clear();
  probes.clear();
  chosen.clear();
  records.reserve(from->expected());
  warmups = 0;
  const Status read = from->for_each_head([this](event::RequestRecord record) { add(std::move(record)); });
  sort();
  source = std::move(from);
  return read;
}

void RunResult::add(event::RequestRecord record) {
  if (record.is_warmup) {
    ++warmups;
    return;
  }
  (record.is_probe ? probes : record.is_to_cancel ? chosen : records).push_back(std::move(record));
}

void RunResult::sort() {
  std::vector<std::uint32_t> order(records.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) {
    return std::tie(records[a].index, records[a].attempt) < std::tie(records[b].index, records[b].attempt);
  });
  // A record is half a kilobyte: each is moved once, along the cycles of the permutation.
  for (std::uint32_t first = 0; first < order.size(); ++first) {
    if (order[first] == first) continue;
    event::RequestRecord held = std::move(records[first]);
    std::uint32_t to = first;
    for (std::uint32_t from = order[to]; from != first; from = order[to]) {
      records[to] = std::move(records[from]);
      order[to] = to;
      to = from;
    }
    records[to] = std::move(held);
    order[to] = to;
  }
}

Result<RunResult> run_load(const RunInputs& inputs, const std::function<event::RecordSink&(unsigned)>& sink_of,
                           const std::atomic<bool>& stop, const std::function<void(const Progress&)>& on_progress) {
  const plan::LoadPlan& plan = inputs.plan;
  const std::size_t to_warm = connections_to_warm(plan);
  if (Status room = wire::reserve_descriptors(std::max(to_warm, plan.max_concurrency) + 64); !room) return room.error();

  const load::RequestFactory factory(inputs.dialect, inputs.shape, inputs.prompts, inputs.target.url);
  const plan::LoadPlan probing = probe_plan(plan);
  const unsigned all_threads = plan.all_threads();
  RunResult result;
  std::vector<std::unique_ptr<Worker>> workers;
  for (unsigned thread = 0; thread < all_threads; ++thread) {
    auto worker = std::make_unique<Worker>();
    worker->loader = std::make_unique<load::Loader>(load::Loader::Setup{inputs.target, inputs.dialect, inputs.shape,
                                                                        thread < plan.threads ? plan : probing, factory,
                                                                        sink_of(thread), worker->live, stop, thread});
    if (Status opened = worker->loader->open(); !opened) return opened.error();
    workers.push_back(std::move(worker));
  }

  // Threads meet three times: connections open, warm-up over, load over. The last to arrive sets t = 0.
  std::atomic<bool> has_failed{false}, is_measuring{false};
  const auto set_start = [&]() noexcept {
    for (const auto& worker : workers) has_failed = has_failed || !worker->status.ok();
    result.start = now() + kHeadStart;
  };
  std::barrier meeting(static_cast<std::ptrdiff_t>(all_threads), set_start);
  std::atomic<bool> load_was_sent{false};  // by any thread: from then on the load is no longer what was asked for
  std::mutex mutex;
  std::condition_variable finished;
  unsigned running = all_threads;

  const auto warm_up = [&](unsigned thread) {
    load::Phase warmup;
    warmup.kind = load::Phase::Kind::warmup;
    warmup.first_index = kWarmupIndex;
    warmup.count = plan.num_warmups;
    warmup.max_in_flight = share(plan.max_concurrency ? plan.max_concurrency : plan.num_warmups, thread, plan.threads);
    warmup.max_in_flight = std::max<std::size_t>(1, warmup.max_in_flight);
    workers[thread]->loader->run(warmup);
  };
  const auto measure = [&](unsigned thread) {
    load::Phase phase;
    phase.start = result.start;
    if (thread < plan.threads) {
      phase.max_in_flight = share(plan.max_concurrency, thread, plan.threads);
      phase.count = plan.num_prompts;
      phase.duration = plan.duration;
      phase.follows_schedule = plan.has_schedule();
      phase.was_sent = &load_was_sent;
    } else {
      phase.kind = load::Phase::Kind::probe;
      phase.first_index = kProbeIndex;
      phase.follows_schedule = true;
      phase.ends = &load_was_sent;
    }
    workers[thread]->loader->run(phase);
  };
  const auto work = [&](unsigned thread) {
    Worker& worker = *workers[thread];
    const bool is_probe = thread == plan.threads;
    worker.status = worker.loader->warm_pool(is_probe ? 1 : share(to_warm, thread, plan.threads));
    meeting.arrive_and_wait();
    if (!has_failed && plan.num_warmups > 0 && !is_probe) warm_up(thread);
    meeting.arrive_and_wait();
    if (!has_failed && !stop) {
      is_measuring = true;
      measure(thread);
    }
    const std::lock_guard lock(mutex);
    --running;
    finished.notify_one();
  };

  const auto ticks = read_cpu_ticks();
  std::vector<std::thread> threads;
  for (unsigned thread = 0; thread < all_threads; ++thread) threads.emplace_back(work, thread);
  {
    std::unique_lock lock(mutex);
    const Instant began = now();
    while (!finished.wait_for(lock, std::chrono::milliseconds(250), [&] { return running == 0; })) {
      lock.unlock();
      Progress progress = sum(workers, plan.threads);
      progress.is_warmup = !is_measuring;
      if (is_measuring) {  // warm-up is told apart
        progress.issued -= std::min<std::uint64_t>(progress.issued, plan.num_warmups);
        progress.succeeded -= std::min<std::uint64_t>(progress.succeeded, plan.num_warmups);
      }
      progress.elapsed = now() - (is_measuring ? result.start : began);
      on_progress(progress);
      lock.lock();
    }
  }
  for (std::thread& thread : threads) thread.join();
  result.end = now();
  result.steal_share = steal_share(ticks, read_cpu_ticks());
  result.was_interrupted = stop;
  for (const auto& worker : workers) {
    if (!worker->status.ok()) return worker->status.error();
  }
  for (const auto& worker : workers) result.loaders.push_back(worker->loader->report());
  return result;
}

}  // namespace scoville::run
