#include "record/recorder.hpp"

#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "base/clock.hpp"

namespace scoville::record {
namespace {

constexpr std::size_t kMostInBlock = 1024;
constexpr std::size_t kMostEventsInBlock = 200'000;
constexpr int kWriterNice = 5;

/// The writer gives way to the load threads, also where these were given real-time priority.
void step_back() {
  sched_param none{};
  sched_setscheduler(0, SCHED_OTHER, &none);
  setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), kWriterNice);
}

template <class T>
void append(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  from.clear();
}

}  // namespace

/// What one load thread hands over. Only that thread touches `own_`; `shared_` is under the lock.
class Recorder::Inbox final : public event::RecordSink {
 public:
  Inbox(std::size_t limit, std::atomic<std::size_t>& backlog) : limit_(limit), backlog_(backlog) {}

  void take(event::RequestRecord record) override {
    if (backlog_.fetch_add(1, std::memory_order_relaxed) >= limit_) {
      backlog_.fetch_sub(1, std::memory_order_relaxed);
      ++drops_;
      return;
    }
    own_.ended.push_back(std::make_unique<event::RequestRecord>(std::move(record)));
    hand_over();
  }

  void take_part(event::RequestRecord part) override {
    if (backlog_.load(std::memory_order_relaxed) >= limit_) return;  // its request will be counted when it ends
    own_.parts.push_back(std::make_unique<event::RequestRecord>(std::move(part)));
    hand_over();
  }

  /// By the writer. `is_last`: the load thread has ended, and what it still holds is taken too.
  void collect(Arrivals& into, bool is_last) {
    const std::lock_guard lock(mutex_);
    append(into.ended, shared_.ended);
    append(into.parts, shared_.parts);
    if (!is_last) return;
    append(into.ended, own_.ended);
    append(into.parts, own_.parts);
  }

  std::size_t drops() const { return drops_; }

 private:
  void hand_over() {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return;  // with the next one
    append(shared_.ended, own_.ended);
    append(shared_.parts, own_.parts);
  }

  const std::size_t limit_;
  std::atomic<std::size_t>& backlog_;
  Arrivals own_, shared_;
  std::mutex mutex_;
  std::size_t drops_ = 0;
};

Recorder::Recorder(CommitSink& sink, unsigned threads, Options options) : sink_(sink), options_(options) {
  for (unsigned i = 0; i < threads; ++i) inboxes_.push_back(std::make_unique<Inbox>(options_.backlog_limit, backlog_));
  thread_ = std::thread([this] { work(); });
}

Recorder::~Recorder() { finish(); }

event::RecordSink& Recorder::sink(unsigned thread) { return *inboxes_[thread]; }

Recorder::Report Recorder::finish() {
  if (std::exchange(is_finished_, true)) return report_;
  {
    const std::lock_guard lock(mutex_);
    is_finishing_ = true;
  }
  wake_.notify_one();
  thread_.join();
  for (const auto& inbox : inboxes_) report_.drops += inbox->drops();
  return report_;
}

void Recorder::work() {
  step_back();
  for (bool is_last = false; !is_last;) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait_for(lock, options_.period, [this] { return is_finishing_; });
      is_last = is_finishing_;
    }
    take_all(is_last);
    cut_blocks(is_last);
    if (!is_last) add_tail();
    commit_once();
  }
}

void Recorder::take_all(bool is_last) {
  Arrivals arrived;
  for (const auto& inbox : inboxes_) inbox->collect(arrived, is_last);
  report_.recorded += arrived.ended.size();
  for (const auto& each : arrived.ended) {
    if (!each->text) continue;
    unwritten_.texts.push_back({each->index, each->attempt, each->is_warmup, std::move(*each->text)});
    each->text.reset();
  }
  // Of a request that has ended since, its parts are no longer wanted.
  std::unordered_set<std::uint64_t> over;
  for (const auto& each : arrived.ended) over.insert(key_of(*each));
  std::erase_if(arrived.parts, [&](const auto& each) { return over.contains(key_of(*each)); });
  append(gathered_, arrived.ended);
  append(parts_, arrived.parts);
}

void Recorder::cut_blocks(bool is_last) {
  std::size_t from = 0;
  while (gathered_.size() - from >= (is_last ? 1 : kFewestInBlock)) {
    std::size_t to = from, events = 0;
    const std::size_t most = std::min(gathered_.size(), from + kMostInBlock);
    while (to < most && (to - from < kFewestInBlock || events < kMostEventsInBlock))
      events += gathered_[to++]->tokens.size();
    unwritten_.blocks.push_back(
        encode(std::span<const std::unique_ptr<event::RequestRecord>>(gathered_).subspan(from, to - from)));
    for (std::size_t i = from; i < to; ++i) {
      ledger_.settle(key_of(*gathered_[i]), unwritten_.ended_tails);
      gathered_[i].reset();
    }
    from = to;
  }
  gathered_.erase(gathered_.begin(), gathered_.begin() + static_cast<std::ptrdiff_t>(from));
  in_tails_ -= std::min(in_tails_, from);
}

void Recorder::add_tail() {
  Records fresh = std::exchange(parts_, {});
  for (; in_tails_ < gathered_.size(); ++in_tails_)
    fresh.push_back(std::make_unique<event::RequestRecord>(*gathered_[in_tails_]));
  if (fresh.empty()) return;
  unwritten_.tails.push_back({++last_tail_, encode(std::span<const std::unique_ptr<event::RequestRecord>>(fresh))});
  for (const auto& each : fresh) ledger_.put(key_of(*each), last_tail_);
}

void Recorder::commit_once() {
  // A tail that has ended before it could be written need not be.
  std::erase_if(unwritten_.tails,
                [&](const Tail& tail) { return std::erase(unwritten_.ended_tails, tail.number) > 0; });
  if (unwritten_.empty()) return;
  unwritten_.recorded = report_.recorded;
  const Instant began = now();
  const Status done = sink_.commit(unwritten_);
  report_.longest_commit = std::max(report_.longest_commit, now() - began);
  if (!done) {
    report_.failure = done.error();
    return;
  }
  report_.failure.reset();
  std::size_t written = 0;
  for (const Block& each : unwritten_.blocks) written += each.requests;
  backlog_.fetch_sub(std::min(written, backlog_.load()), std::memory_order_relaxed);
  unwritten_ = Commit{};
}

}  // namespace scoville::record
