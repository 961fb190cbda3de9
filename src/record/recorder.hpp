#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/units.hpp"
#include "event/record_flow.hpp"
#include "record/block_codec.hpp"
#include "record/tail_ledger.hpp"

namespace scoville::record {

/// The text of one answer, kept only when asked for.
struct KeptText {
  std::uint64_t index = 0;
  std::uint16_t attempt = 0;
  bool is_warmup = false;
  event::RequestText text;
};

/// Ended requests that fill no block yet, and parts of open ones: what was new at one moment.
struct Tail {
  std::int64_t number = 0;  ///< within the run, from 1
  Block block;
};

/// What becomes durable together, or not at all.
struct Commit {
  std::vector<Block> blocks;  ///< of ended requests; at least kFewestInBlock each, but for the last of a run
  std::vector<Tail> tails;
  std::vector<std::int64_t> ended_tails;  ///< tails written before of which every request lies in a block by now
  std::vector<KeptText> texts;
  std::size_t recorded = 0;  ///< requests that have ended so far, these included
  bool empty() const { return blocks.empty() && tails.empty() && ended_tails.empty() && texts.empty(); }
};

/// Where commits go: a store, or memory.
class CommitSink {
 public:
  virtual ~CommitSink() = default;
  /// All of it, or an error and nothing. Called by the recorder's thread alone.
  virtual Status commit(const Commit& commit) = 0;
};

inline constexpr std::size_t kFewestInBlock = 64;

/// Takes records from the load threads without ever making them wait, and commits them from a thread of its own.
///
/// States: recording (from the constructor) → finished (finish(), once). Each load thread owns one sink(): it hands
/// over under a lock that it only tries for, so a slow disk or a busy writer costs the load nothing. What cannot be
/// committed stays in memory and is tried again with the next commit; once more than `backlog_limit` records wait,
/// further ones are dropped and counted.
class Recorder {
 public:
  struct Options {
    Nanos period = std::chrono::milliseconds(250);  ///< between two commits
    std::size_t backlog_limit = 2'000'000;
  };
  struct Report {
    std::size_t recorded = 0;  ///< requests ended and handed over
    std::size_t drops = 0;
    Nanos longest_commit{};
    std::optional<Error> failure;  ///< of the last commit: what is in left_over() is in no store
  };

  Recorder(CommitSink& sink, unsigned threads, Options options);
  Recorder(CommitSink& sink, unsigned threads) : Recorder(sink, threads, Options{}) {}
  ~Recorder();

  event::RecordSink& sink(unsigned thread);

  /// Ended requests that are in no store yet.
  std::size_t backlog() const { return backlog_.load(std::memory_order_relaxed); }

  /// Commits what is left. Call after the load threads have ended.
  Report finish();

  /// Blocks that could not be committed; the run's figures need them too. After finish().
  const Commit& left_over() const { return unwritten_; }

 private:
  class Inbox;
  using Records = std::vector<std::unique_ptr<event::RequestRecord>>;  // what is moved about is small
  struct Arrivals {
    Records ended, parts;
  };

  void work();
  void take_all(bool is_last);
  void cut_blocks(bool is_last);
  void add_tail();
  void commit_once();

  CommitSink& sink_;
  const Options options_;
  std::atomic<std::size_t> backlog_{0};
  std::vector<std::unique_ptr<Inbox>> inboxes_;
  Records gathered_;          // ended, in no block yet
  std::size_t in_tails_ = 0;  // of these, the first so many lie in a tail already
  Records parts_;             // of open requests, in no tail yet
  TailLedger ledger_;
  std::int64_t last_tail_ = 0;
  Commit unwritten_;
  Report report_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool is_finishing_ = false, is_finished_ = false;
  std::thread thread_;
};

}  // namespace scoville::record
