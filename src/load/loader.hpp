#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "event/record_flow.hpp"
#include "load/connection_pool.hpp"
#include "load/conversation.hpp"
#include "load/due_times.hpp"
#include "load/exchange.hpp"
#include "load/live_counters.hpp"
#include "load/request_factory.hpp"
#include "plan/bench_plan.hpp"

namespace scoville::load {

/// One stretch of load, the same for all threads: each takes every `threads`-th chain of it.
struct Phase {
  enum class Kind {
    measured,
    warmup,  ///< no conversation goes beyond its first turn
    probe,   ///< the same
  };
  Kind kind = Kind::measured;
  std::uint64_t first_index = 0;            ///< of the prompts
  std::size_t count = 0;                    ///< requests over all threads; 0: no limit
  std::optional<Nanos> duration;            ///< none is issued after it
  bool follows_schedule = false;            ///< due times from the plan; else as slots become free
  std::size_t max_in_flight = 0;            ///< of this thread; 0: no cap. Without a schedule a conversation keeps its
                                            ///< place while its user thinks
  const std::atomic<bool>* ends = nullptr;  ///< none is issued once it is true
  std::atomic<bool>* was_sent = nullptr;    ///< set once no further chain of this thread will begin
  Instant start{};
};

/// What a load thread observed of itself.
struct LoaderReport {
  std::vector<wire::EventLoop::BusySecond> busy_seconds;
  std::size_t peak_waiting_for_connection = 0;
  std::size_t connections_opened = 0;
  int clock_steps = 0;
  bool has_kernel_stamps = true;
  bool reused_connections = true;  ///< false: the server ended each one after an answer
  Nanos cpu{};
  std::size_t peak_in_flight = 0;
  std::size_t turns_not_sent = 0;  ///< of conversations that a failure ended
};

/// One load thread: turns due times into requests, and streams into records.
///
/// States of a request: prepared (bytes made ahead of time) → due → [waiting for a connection] → in flight → answered
/// (slot free, connection lingers) → recorded. Nothing is shared with other threads but the stop flag, which is only
/// read, and the counters, which only this thread writes.
class Loader final : Exchange::Host {
 public:
  struct Setup {
    const wire::Target& target;
    const Dialect& dialect;
    const plan::RequestShape& shape;
    const plan::LoadPlan& plan;
    const RequestFactory& factory;
    event::RecordSink& sink;
    LiveCounters& live;
    const std::atomic<bool>& stop;
    unsigned thread = 0;
  };

  explicit Loader(const Setup& setup);
  ~Loader() override;

  Status open() { return loop_.open(); }

  /// Opens `connections` connections and waits until they are ready, or one cannot be made.
  Status warm_pool(std::size_t connections);

  /// Runs a phase to the end of its last request.
  void run(const Phase& phase);

  LoaderReport report() const;

 private:
  /// Issues what is due and may go. True: more is.
  bool dispatch(Instant now);
  bool prepare_ahead(Instant now);
  bool prepare_one();
  std::optional<dataset::Chain> next_chain();
  void mark(event::RequestRecord& record, Moment due) const;
  bool is_chosen_to_cancel(std::uint64_t index) const;
  bool has_room() const;
  bool may_issue(const Prepared& next, Instant now) const;
  bool dispatch_turns(Instant& now, std::size_t& issued);
  void plan_next_turn(Exchange& exchange);
  void end_conversation(const Conversation& conversation, const event::RequestRecord& failed);
  void issue(Prepared prepared, Instant now);
  void launch(std::unique_ptr<wire::Connection> connection, Prepared prepared);
  void serve_waiting();
  void fail_waiting(const Error& error);
  void keep_connections_ahead(Instant now);
  bool may_get_lingering(Instant now) const;
  void maintain(Instant now);
  void hand_over_parts(Instant now);
  void abort_all(Instant now);
  Instant next_wake(Instant now) const;
  void record_done(event::RequestRecord record);
  void put_away(const Exchange& exchange);
  bool retry(const event::RequestRecord& failed, std::unique_ptr<Conversation>& conversation);

  void on_answered(Exchange& exchange) override;
  void on_over(Exchange& exchange, bool is_reusable) override;
  void on_stale(Exchange& exchange) override;

  Setup setup_;
  wire::EventLoop loop_;
  ConnectionPool pool_;
  JsonReader reader_;
  Chunk chunk_;

  Phase phase_;
  std::optional<DueTimes> due_times_;
  std::uint64_t next_chain_ = 0;  // of this thread
  bool is_exhausted_ = false;
  TimedQueue<Prepared> turns_;  // whose user is thinking, or that wait for a slot
  std::deque<Prepared> prepared_;
  std::deque<Prepared> waiting_;        // for any connection
  std::deque<Prepared> waiting_fresh_;  // for a new one: their last died under them
  std::size_t in_flight_ = 0, lingering_ = 0;
  Instant last_answer_{};
  std::optional<Error> warm_error_;
  std::vector<std::unique_ptr<Exchange>> active_, free_;
  Instant next_maintenance_{}, no_connect_before_{};
  Instant part_round_began_{};
  std::size_t next_part_ = 0;  // of active_, those below have not had their turn in this round of parts
  LoaderReport report_;
};

}  // namespace scoville::load
