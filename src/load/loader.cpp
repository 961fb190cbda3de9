#include "load/loader.hpp"

#include <algorithm>
#include <cmath>

#include "base/clock.hpp"
#include "base/rng.hpp"
#include "load/failure_class.hpp"

namespace scoville::load {
namespace {

using event::Failure;

constexpr std::size_t kPreparedAhead = 32;    // with a schedule
constexpr std::size_t kPreparedForSlots = 4;  // without: for slots that become free at the same time
constexpr std::size_t kIssuedPerTurn = 16;
constexpr Nanos kPrepareMargin = std::chrono::microseconds(150);  // making a long prompt takes about this long
constexpr Nanos kSpin = std::chrono::microseconds(30);            // a sleep this short would oversleep
constexpr Nanos kConnectAhead = std::chrono::milliseconds(100);
constexpr Nanos kConnectBackoff = std::chrono::milliseconds(100);
constexpr Nanos kLongestWait = std::chrono::milliseconds(100);
// Beyond the next tick of the kernel: a nearer one would have the hardware's timer set anew in every turn (2 µs an
// event).
constexpr Nanos kMaintenanceWait = std::chrono::milliseconds(20);
// How long a request waits for the connection of an answer that is complete but for the end of its body. Most servers
// end it within microseconds; those with few connection threads (llama.cpp) suffer from every connection too many.
constexpr Nanos kLingerPatience = std::chrono::milliseconds(5);
constexpr double kSpareSeconds = 0.02;  // idle connections kept ready, as seconds of arrivals
constexpr std::size_t kMostOpening = 256;
// With the 200 ms that a round may take and the 250 ms between two commits, what is known only here is lost for less
// than a second: after the first part of a request as before it.
constexpr Nanos kPartRound = std::chrono::milliseconds(300);
constexpr std::uint64_t kCancelStream = 0x63616e63656c;  // of random numbers, apart from those of the arrivals
constexpr Nanos kFirstPartAge = std::chrono::milliseconds(150);

}  // namespace

Loader::Loader(const Setup& setup)
    : setup_(setup),
      pool_(loop_, setup_.target, setup_.plan.timeouts.connect,
            {[this] { serve_waiting(); }, [this](const Error& error) { fail_waiting(error); }}) {}

Loader::~Loader() {
  active_.clear();  // they hold connections, which leave the loop
  free_.clear();
  pool_.close_all();
}

Status Loader::warm_pool(std::size_t connections) {
  warm_error_.reset();
  const Instant give_up = loop_.read_clock() + setup_.plan.timeouts.connect;
  std::size_t started = 0;
  while (pool_.idle() < connections && !warm_error_ && !setup_.stop) {
    while (started < connections && pool_.opening() < kMostOpening && !warm_error_) {
      pool_.open_one();
      ++started;
    }
    if (loop_.clock() >= give_up + std::chrono::seconds(connections / 500)) break;
    loop_.turn(loop_.clock() + kLongestWait);
    if (loop_.clock() >= next_maintenance_) maintain(loop_.clock());
    if (pool_.idle() + pool_.opening() < connections && started >= connections) break;  // the server dropped some
  }
  if (warm_error_) return *warm_error_;
  return Done{};
}

void Loader::run(const Phase& phase) {
  const Nanos cpu_before = thread_cpu_time();
  phase_ = phase;
  due_times_.reset();
  if (phase.follows_schedule) {
    due_times_.emplace(setup_.plan.arrivals, phase.count, phase.duration, setup_.factory.prompts());
  }
  next_chain_ = phase.kind == Phase::Kind::probe ? 0 : setup_.thread;
  is_exhausted_ = false;
  bool was_stopped = false;
  for (;;) {
    const Instant now = loop_.read_clock();
    if (setup_.stop.load(std::memory_order_relaxed) && !was_stopped) {
      was_stopped = true;
      abort_all(now);
    }
    const bool has_more_due = !was_stopped && dispatch(now);
    const bool has_issued_all = (is_exhausted_ || was_stopped) && prepared_.empty();
    if (has_issued_all && phase.was_sent) phase.was_sent->store(true, std::memory_order_relaxed);
    if (has_issued_all && turns_.empty() && active_.empty() && waiting_.empty() && waiting_fresh_.empty()) break;
    if (now >= next_maintenance_) maintain(now);
    if (!was_stopped) keep_connections_ahead(now);
    const bool is_busy = has_more_due || (!was_stopped && prepare_ahead(now));
    loop_.turn(is_busy ? now : next_wake(now));
  }
  report_.cpu += thread_cpu_time() - cpu_before;
}

std::optional<dataset::Chain> Loader::next_chain() {
  const bool goes_beyond_first_turn = phase_.kind == Phase::Kind::measured;
  dataset::Chain chain{next_chain_, 1};
  if (goes_beyond_first_turn) chain = setup_.factory.prompts().chain(phase_.first_index + next_chain_);
  const std::uint64_t place = goes_beyond_first_turn ? chain.first - phase_.first_index : next_chain_;
  if (phase_.count != 0 && place >= phase_.count) return std::nullopt;
  if (phase_.count != 0) {
    chain.turns = static_cast<std::uint32_t>(std::min<std::uint64_t>(chain.turns, phase_.count - place));
  }
  return chain;
}

bool Loader::is_chosen_to_cancel(std::uint64_t index) const {
  if (setup_.plan.cancel.share <= 0 || phase_.kind != Phase::Kind::measured) return false;
  Rng rng(setup_.plan.arrivals.seed ^ kCancelStream, index);
  return rng.uniform() < setup_.plan.cancel.share;
}

void Loader::mark(event::RequestRecord& record, Moment due) const {
  record.due = due;
  record.thread = static_cast<std::uint16_t>(setup_.thread);
  record.is_warmup = phase_.kind == Phase::Kind::warmup;
  record.is_probe = phase_.kind == Phase::Kind::probe;
  record.is_to_cancel = is_chosen_to_cancel(record.index);
}

bool Loader::prepare_one() {
  if (is_exhausted_) return false;
  const std::optional<dataset::Chain> chain = next_chain();
  std::optional<Nanos> at;
  if (chain && due_times_) at = due_times_->of(next_chain_);
  const bool is_over = !chain || (due_times_ && (!at || (phase_.duration && *at > *phase_.duration)));
  if (is_over) {
    is_exhausted_ = true;
    return false;
  }
  Prepared prepared =
      setup_.factory.make(phase_.kind == Phase::Kind::measured ? chain->first : phase_.first_index + next_chain_);
  mark(prepared.record, at ? Moment(phase_.start + *at) : Moment());
  if (chain->turns > 1) {
    prepared.conversation = std::make_unique<Conversation>();
    prepared.conversation->number = phase_.first_index + next_chain_;
    prepared.conversation->chain = *chain;
  }
  prepared_.push_back(std::move(prepared));
  next_chain_ += phase_.kind == Phase::Kind::probe ? 1 : setup_.plan.threads;
  return true;
}

bool Loader::prepare_ahead(Instant now) {
  const std::size_t ahead = due_times_ ? kPreparedAhead : kPreparedForSlots;
  if (prepared_.size() >= ahead) return false;
  const bool has_time = prepared_.empty() || !due_times_ || *prepared_.front().record.due - now > kPrepareMargin;
  return has_time && prepare_one();
}

/// A conversation between two turns of a closed loop has a user, who thinks.
bool Loader::has_room() const {
  if (phase_.max_in_flight == 0) return true;
  return in_flight_ + (due_times_ ? 0 : turns_.size()) < phase_.max_in_flight;
}

bool Loader::may_issue(const Prepared& next, Instant now) const {
  return has_room() && (!next.record.due || *next.record.due <= now);
}

/// Turns that are due go before requests of others. True: more are due than may go in this turn of the loop.
bool Loader::dispatch_turns(Instant& now, std::size_t& issued) {
  while (!turns_.empty() && turns_.first_due() <= now) {
    const bool has_slot = !due_times_ || phase_.max_in_flight == 0 || in_flight_ < phase_.max_in_flight;
    if (!has_slot) {
      turns_.first().record.was_held = true;
      return false;
    }
    if (issued++ == kIssuedPerTurn) return true;
    issue(turns_.take(), now);
    now = loop_.read_clock();
  }
  return false;
}

bool Loader::dispatch(Instant now) {
  if (now < phase_.start) return false;
  const bool is_time_up = phase_.duration && now - phase_.start >= *phase_.duration;
  const bool is_told_to_end = phase_.ends && phase_.ends->load(std::memory_order_relaxed);
  if ((is_time_up && !due_times_) || is_told_to_end) {
    is_exhausted_ = true;
    turns_.clear();  // their users will not come back
    prepared_.clear();
    return false;
  }
  std::size_t issued = 0;
  if (dispatch_turns(now, issued)) return true;
  for (; prepared_.empty() ? prepare_one() : true; ++issued) {
    if (issued >= kIssuedPerTurn) return true;  // answers wait to be read
    if (!may_issue(prepared_.front(), now)) {
      prepared_.front().record.was_held = prepared_.front().record.due && *prepared_.front().record.due <= now;
      return false;
    }
    Prepared next = std::move(prepared_.front());
    prepared_.pop_front();
    issue(std::move(next), now);
    now = loop_.read_clock();
  }
  return false;
}

void Loader::issue(Prepared prepared, Instant now) {
  prepared.record.dequeued = now;
  ++in_flight_;
  report_.peak_in_flight = std::max(report_.peak_in_flight, in_flight_);
  setup_.live.issued.fetch_add(1, std::memory_order_relaxed);
  setup_.live.in_flight.store(in_flight_, std::memory_order_relaxed);
  if (auto connection = pool_.take()) {
    launch(std::move(connection), std::move(prepared));
    return;
  }
  waiting_.push_back(std::move(prepared));
  report_.peak_waiting_for_connection = std::max(report_.peak_waiting_for_connection, waiting_.size());
}

void Loader::launch(std::unique_ptr<wire::Connection> connection, Prepared prepared) {
  report_.has_kernel_stamps = report_.has_kernel_stamps && connection->has_kernel_stamps();
  std::unique_ptr<Exchange> exchange;
  if (free_.empty()) {
    const Assembler::Expectation expectation{setup_.shape.n,
                                             setup_.shape.ignore_eos,
                                             setup_.plan.keeps_text,
                                             setup_.dialect.has_done_marker(),
                                             setup_.dialect.has_end_frame(),
                                             setup_.dialect.makes_tokens()};
    const ExchangeSetup shared{loop_,   setup_.dialect, setup_.plan.timeouts, setup_.plan.cancel.after, expectation,
                               reader_, chunk_};
    exchange = std::make_unique<Exchange>(shared, static_cast<Exchange::Host&>(*this));
  } else {
    exchange = std::move(free_.back());
    free_.pop_back();
  }
  exchange->place = active_.size();
  Exchange& started = *exchange;
  active_.push_back(std::move(exchange));
  started.start(std::move(connection), std::move(prepared));
}

void Loader::serve_waiting() {
  while (!waiting_fresh_.empty()) {
    auto connection = pool_.take_fresh();
    if (!connection) break;
    Prepared next = std::move(waiting_fresh_.front());
    waiting_fresh_.pop_front();
    launch(std::move(connection), std::move(next));
  }
  while (!waiting_.empty()) {
    auto connection = pool_.take();
    if (!connection) return;
    Prepared next = std::move(waiting_.front());
    waiting_.pop_front();
    launch(std::move(connection), std::move(next));
  }
}

void Loader::fail_waiting(const Error& error) {
  if (!warm_error_) warm_error_ = error;
  no_connect_before_ = loop_.clock() + kConnectBackoff;
  std::deque<Prepared>& queue = waiting_fresh_.empty() ? waiting_ : waiting_fresh_;
  if (queue.empty()) return;
  Prepared lost = std::move(queue.front());
  queue.pop_front();
  event::RequestRecord& record = lost.record;
  record.failure = failure_class(error.code, Failure::connect);
  record.error_message = error.message;
  record.failed_at = loop_.clock();
  --in_flight_;
  if (lost.conversation) end_conversation(*lost.conversation, record);
  record_done(std::move(record));
}

bool Loader::may_get_lingering(Instant now) const {
  return pool_.reuses() && lingering_ > 0 && now - last_answer_ < kLingerPatience;
}

void Loader::keep_connections_ahead(Instant now) {
  if (now < no_connect_before_) return;
  std::size_t wanted = (may_get_lingering(now) ? 0 : waiting_.size()) + waiting_fresh_.size();
  if (due_times_) {
    std::size_t soon = 0;
    while (soon < prepared_.size() && *prepared_[soon].record.due - now < kConnectAhead) ++soon;
    if (soon == kPreparedAhead) {
      const double rate = setup_.plan.arrivals.rate.value_or(0) / setup_.plan.threads;
      soon = std::max(soon, static_cast<std::size_t>(std::ceil(rate * kSpareSeconds)));
    }
    if (!turns_.empty() && turns_.first_due() - now < kConnectAhead) ++soon;
    const std::size_t room =
        phase_.max_in_flight ? phase_.max_in_flight - std::min(phase_.max_in_flight, in_flight_) : soon;
    wanted += std::min(soon, room);
  }
  // A failed attempt puts off the next ones, but each request that waits is owed one of its own: else a dead server's
  // requests would fail one by one, long after the run.
  const std::size_t owed = waiting_.size() + waiting_fresh_.size();
  for (std::size_t tried = 0; pool_.opening() < kMostOpening; ++tried) {
    const std::size_t usable = waiting_fresh_.empty() ? pool_.idle() : pool_.idle_fresh();
    if (usable + pool_.opening() >= wanted || (now < no_connect_before_ && tried >= owed)) return;
    pool_.open_one();
  }
}

void Loader::maintain(Instant now) {
  for (std::size_t i = active_.size(); i-- > 0;) {
    if (i < active_.size()) active_[i]->check_timeouts(now);
  }
  hand_over_parts(now);
  pool_.maintain(now);
  next_maintenance_ = now + std::chrono::milliseconds(active_.size() < 1000 ? 10 : 50);
}

void Loader::hand_over_parts(Instant now) {
  if (next_part_ == 0) {
    if (now - part_round_began_ < kPartRound) return;
    part_round_began_ = now;
    next_part_ = active_.size();
    for (std::deque<Prepared>* queue : {&waiting_, &waiting_fresh_}) {
      for (Prepared& each : *queue) setup_.sink.take_part(event::snapshot(each.record, 0));
    }
  }
  // From the end to the beginning: an exchange that takes the place of one put away comes from the end, where it has
  // had its turn. So many at a time that the round is through in half of its time.
  next_part_ = std::min(next_part_, active_.size());
  const std::size_t share = active_.size() / 4 + 1;
  for (std::size_t i = 0; i < share && next_part_ > 0; ++i) {
    Exchange& exchange = *active_[--next_part_];
    if (now - exchange.started() >= kFirstPartAge) exchange.hand_over_part(setup_.sink);
  }
}

void Loader::abort_all(Instant now) {
  prepared_.clear();
  turns_.clear();
  is_exhausted_ = true;
  for (std::deque<Prepared>* queue : {&waiting_, &waiting_fresh_}) {
    for (Prepared& each : *queue) {
      each.record.failure = Failure::aborted;
      each.record.failed_at = now;
      --in_flight_;
      record_done(std::move(each.record));
    }
    queue->clear();
  }
  for (std::size_t i = active_.size(); i-- > 0;) {
    if (i < active_.size()) active_[i]->abort(now);
  }
}

Instant Loader::next_wake(Instant now) const {
  const bool has_something_to_watch = !active_.empty() || pool_.opening() > 0;
  Instant wake = now + (has_something_to_watch ? kMaintenanceWait : kLongestWait);
  if (now < phase_.start) wake = std::min(wake, phase_.start - kSpin);
  const bool is_blocked = phase_.max_in_flight != 0 && in_flight_ >= phase_.max_in_flight;
  if (!is_blocked && !prepared_.empty() && prepared_.front().record.due) {
    wake = std::min(wake, *prepared_.front().record.due - kSpin);
  }
  if (!is_blocked && !turns_.empty()) wake = std::min(wake, turns_.first_due() - kSpin);
  if (!waiting_.empty() && may_get_lingering(now)) wake = std::min(wake, last_answer_ + kLingerPatience);
  if (phase_.duration && !due_times_ && !is_exhausted_)
    wake = std::min(wake, std::max(now, phase_.start + *phase_.duration));
  return wake;
}

LoaderReport Loader::report() const {
  LoaderReport report = report_;
  report.busy_seconds = loop_.busy_seconds();
  report.connections_opened = pool_.opened();
  report.reused_connections = pool_.reuses();
  report.clock_steps = loop_.offset().steps();
  return report;
}

}  // namespace scoville::load
