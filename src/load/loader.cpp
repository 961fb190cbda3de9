#include "load/loader.hpp"

#include <algorithm>
#include <cmath>

#include "base/clock.hpp"
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
  pacer_.reset();
  if (phase.follows_schedule) pacer_.emplace(setup_.plan.arrivals, phase.count, phase.duration);
  next_index_ = setup_.thread;
  scheduled_ = 0;
  is_exhausted_ = false;
  bool was_stopped = false;
  for (;;) {
    const Instant now = loop_.read_clock();
    if (setup_.stop.load(std::memory_order_relaxed) && !was_stopped) {
      was_stopped = true;
      abort_all(now);
    }
    const bool has_more_due = !was_stopped && dispatch(now);
    if ((is_exhausted_ || was_stopped) && prepared_.empty() && active_.empty() && waiting_.empty() &&
        waiting_fresh_.empty()) {
      break;
    }
    if (now >= next_maintenance_) maintain(now);
    if (!was_stopped) keep_connections_ahead(now);
    const bool is_busy = has_more_due || (!was_stopped && prepare_ahead(now));
    loop_.turn(is_busy ? now : next_wake(now));
  }
  report_.cpu += thread_cpu_time() - cpu_before;
}

bool Loader::prepare_one() {
  if (is_exhausted_) return false;
  if (phase_.count != 0 && next_index_ >= phase_.count) {
    is_exhausted_ = true;
    return false;
  }
  Moment due;
  if (pacer_) {
    Nanos at{};
    while (scheduled_ <= next_index_) {
      at = pacer_->next();
      ++scheduled_;
    }
    if (phase_.duration && at > *phase_.duration) {
      is_exhausted_ = true;
      return false;
    }
    due = phase_.start + at;
  }
  Prepared prepared = setup_.factory.make(phase_.first_index + next_index_);
  prepared.record.due = due;
  prepared.record.thread = static_cast<std::uint16_t>(setup_.thread);
  prepared.record.is_warmup = phase_.is_warmup;
  prepared_.push_back(std::move(prepared));
  next_index_ += setup_.plan.threads;
  return true;
}

bool Loader::prepare_ahead(Instant now) {
  const std::size_t ahead = pacer_ ? kPreparedAhead : kPreparedForSlots;
  if (prepared_.size() >= ahead) return false;
  const bool has_time = prepared_.empty() || !pacer_ || *prepared_.front().record.due - now > kPrepareMargin;
  return has_time && prepare_one();
}

bool Loader::may_issue(const Prepared& next, Instant now) const {
  if (phase_.max_in_flight != 0 && in_flight_ >= phase_.max_in_flight) return false;
  return !next.record.due || *next.record.due <= now;
}

bool Loader::dispatch(Instant now) {
  if (now < phase_.start) return false;
  const bool is_time_up = phase_.duration && now - phase_.start >= *phase_.duration;
  if (is_time_up && !pacer_) {
    is_exhausted_ = true;
    prepared_.clear();
    return false;
  }
  for (std::size_t issued = 0; prepared_.empty() ? prepare_one() : true; ++issued) {
    if (issued == kIssuedPerTurn) return true;  // answers wait to be read
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
    const Assembler::Expectation expectation{setup_.shape.n, setup_.shape.ignore_eos, setup_.plan.keeps_text,
                                             setup_.dialect.has_done_marker(), setup_.dialect.has_end_frame()};
    const ExchangeSetup shared{loop_, setup_.dialect, setup_.plan.timeouts, expectation, reader_, chunk_};
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
  event::RequestRecord record = std::move(queue.front().record);
  queue.pop_front();
  record.failure = failure_class(error.code, Failure::connect);
  record.error_message = error.message;
  record.failed_at = loop_.clock();
  --in_flight_;
  record_done(std::move(record));
}

bool Loader::may_get_lingering(Instant now) const {
  return pool_.reuses() && lingering_ > 0 && now - last_answer_ < kLingerPatience;
}

void Loader::keep_connections_ahead(Instant now) {
  if (now < no_connect_before_) return;
  std::size_t wanted = (may_get_lingering(now) ? 0 : waiting_.size()) + waiting_fresh_.size();
  if (pacer_) {
    std::size_t soon = 0;
    while (soon < prepared_.size() && *prepared_[soon].record.due - now < kConnectAhead) ++soon;
    if (soon == kPreparedAhead) {
      const double rate = *setup_.plan.arrivals.rate / setup_.plan.threads;
      soon = std::max(soon, static_cast<std::size_t>(std::ceil(rate * kSpareSeconds)));
    }
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
  if (!waiting_.empty() && may_get_lingering(now)) wake = std::min(wake, last_answer_ + kLingerPatience);
  if (phase_.duration && !pacer_ && !is_exhausted_)
    wake = std::min(wake, std::max(now, phase_.start + *phase_.duration));
  return wake;
}

void Loader::record_done(event::RequestRecord record) {
  auto& counter = record.succeeded() ? setup_.live.succeeded : setup_.live.failed;
  counter.fetch_add(1, std::memory_order_relaxed);
  if (record.n_out) {
    setup_.live.output_tokens.fetch_add(static_cast<std::uint64_t>(*record.n_out), std::memory_order_relaxed);
  }
  setup_.live.in_flight.store(in_flight_, std::memory_order_relaxed);
  setup_.sink.take(std::move(record));
}

void Loader::on_answered(Exchange&) {
  ++lingering_;
  last_answer_ = loop_.clock();
  if (!setup_.plan.slot_waits_for_body) --in_flight_;
}

void Loader::on_over(Exchange& exchange, bool is_reusable) {
  --lingering_;
  auto connection = exchange.release_connection();
  if (is_reusable && connection->is_open()) {
    pool_.give_back(std::move(connection));
  } else {
    connection->close();
    loop_.bury(std::move(connection));
  }
  if (setup_.plan.slot_waits_for_body) --in_flight_;
  event::RequestRecord record = exchange.take().record;
  put_away(exchange);
  retry(record);
  record_done(std::move(record));
  serve_waiting();
}

void Loader::put_away(const Exchange& exchange) {
  const std::size_t place = exchange.place;
  std::swap(active_[place], active_.back());
  active_[place]->place = place;
  free_.push_back(std::move(active_.back()));
  active_.pop_back();
}

void Loader::retry(const event::RequestRecord& failed) {
  const bool may_pass = failed.failure == Failure::reset || failed.http_status == 429 || failed.http_status >= 500;
  if (failed.succeeded() || !may_pass || failed.attempt >= setup_.plan.retries || setup_.stop) return;
  Prepared again = setup_.factory.make(failed.index);
  again.record.attempt = static_cast<std::uint16_t>(failed.attempt + 1);
  again.record.thread = failed.thread;
  again.record.is_warmup = failed.is_warmup;
  issue(std::move(again), loop_.clock());
}

void Loader::on_stale(Exchange& exchange) {
  auto connection = exchange.release_connection();
  pool_.note_death(*connection);
  connection->close();
  loop_.bury(std::move(connection));
  Prepared again = exchange.take();
  event::RequestRecord& record = again.record;
  ++record.resends;
  record.flags.set(event::Flag::stale_reuse);
  record.written = Moment();
  waiting_fresh_.push_back(std::move(again));
  put_away(exchange);
  serve_waiting();
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
