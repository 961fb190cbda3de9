#include "load/failure_class.hpp"
#include "load/loader.hpp"

// What a load thread does once an answer is there, or will not come.

namespace scoville::load {

using event::Failure;

void Loader::record_done(event::RequestRecord record) {
  if (record.failure != Failure::cancelled) {
    auto& counter = record.succeeded() ? setup_.live.succeeded : setup_.live.failed;
    counter.fetch_add(1, std::memory_order_relaxed);
  }
  if (record.n_out) {
    setup_.live.output_tokens.fetch_add(static_cast<std::uint64_t>(*record.n_out), std::memory_order_relaxed);
  }
  setup_.live.in_flight.store(in_flight_, std::memory_order_relaxed);
  setup_.sink.take(std::move(record));
}

void Loader::on_answered(Exchange& exchange) {
  ++lingering_;
  last_answer_ = loop_.clock();
  if (!setup_.plan.slot_waits_for_body) --in_flight_;
  if (exchange.record().succeeded()) plan_next_turn(exchange);
}

/// Its due time is the end of the answer and its user's thinking, whenever we come to see it.
void Loader::plan_next_turn(Exchange& exchange) {
  std::unique_ptr<Conversation> conversation = exchange.take_conversation();
  if (!conversation || !conversation->has_turn_after(exchange.record().turn)) return;
  const event::RequestRecord& record = exchange.record();
  const auto& answers = record.text->answers;
  conversation->answers.push_back(answers.empty() ? std::string() : answers.front());
  const std::uint32_t turn = conversation->next_turn();
  const Instant due = *record.end + setup_.factory.prompts().think_time(conversation->number, turn);
  const bool is_in_time = !phase_.duration || due - phase_.start <= *phase_.duration;
  if (!is_in_time) return;
  Prepared next = setup_.factory.follow_up(*conversation);
  mark(next.record, due);
  next.conversation = std::move(conversation);
  turns_.add(due, std::move(next));
}

void Loader::end_conversation(const Conversation& conversation, const event::RequestRecord& failed) {
  if (failed.failure != Failure::aborted && failed.failure != Failure::cancelled)
    report_.turns_not_sent += conversation.chain.turns - failed.turn - 1;
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
  Prepared done = exchange.take();
  put_away(exchange);
  const bool goes_on = retry(done.record, done.conversation);
  if (done.conversation && !goes_on) end_conversation(*done.conversation, done.record);
  if (!setup_.plan.keeps_text) done.record.text.reset();
  record_done(std::move(done.record));
  serve_waiting();
}

void Loader::put_away(const Exchange& exchange) {
  const std::size_t place = exchange.place;
  std::swap(active_[place], active_.back());
  active_[place]->place = place;
  free_.push_back(std::move(active_.back()));
  active_.pop_back();
}

/// True: the request is sent once more, and its conversation with it.
bool Loader::retry(const event::RequestRecord& failed, std::unique_ptr<Conversation>& conversation) {
  const bool may_pass = failed.failure == Failure::reset || failed.http_status == 429 || failed.http_status >= 500;
  if (failed.succeeded() || !may_pass || failed.attempt >= setup_.plan.retries || setup_.stop) return false;
  Prepared again = failed.turn > 0 ? setup_.factory.follow_up(*conversation) : setup_.factory.make(failed.index);
  mark(again.record, Moment());
  again.record.attempt = static_cast<std::uint16_t>(failed.attempt + 1);
  again.record.is_warmup = failed.is_warmup;
  again.record.is_to_cancel = failed.is_to_cancel;
  again.conversation = std::move(conversation);
  issue(std::move(again), loop_.clock());
  return true;
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

}  // namespace scoville::load
