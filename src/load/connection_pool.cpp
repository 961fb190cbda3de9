#include "load/connection_pool.hpp"

#include <algorithm>

#include "text/catalogue.hpp"

namespace scoville::load {
namespace {

template <class List>
std::unique_ptr<wire::Connection> remove(List& list, const wire::Connection& wanted) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const auto& each) { return each.get() == &wanted; });
  if (found == list.end()) return nullptr;
  std::unique_ptr<wire::Connection> out = std::move(*found);
  list.erase(found);
  return out;
}

bool is_fresh(const std::unique_ptr<wire::Connection>& connection) { return connection->requests_carried == 0; }

}  // namespace

ConnectionPool::ConnectionPool(wire::EventLoop& loop, const wire::Target& target, Nanos connect_timeout,
                               Callbacks callbacks)
    : loop_(loop), target_(target), connect_timeout_(connect_timeout), callbacks_(std::move(callbacks)) {}

void ConnectionPool::open_one() {
  auto connection = std::make_unique<wire::Connection>(loop_, target_, *this);
  if (const Status started = connection->start(); !started) {
    callbacks_.on_failed(started.error());
    return;
  }
  opening_.push_back(std::move(connection));
}

std::unique_ptr<wire::Connection> ConnectionPool::take() {
  while (!idle_.empty()) {
    auto connection = std::move(idle_.front());
    idle_.pop_front();
    const bool was_used = connection->requests_carried > 0;
    const bool is_stale = was_used && (!reuses_ || loop_.clock() - connection->idle_since > kIdleLimit);
    if (!is_stale) return connection;
    connection->close();
    loop_.bury(std::move(connection));
  }
  return nullptr;
}

std::size_t ConnectionPool::idle_fresh() const {
  return static_cast<std::size_t>(std::count_if(idle_.begin(), idle_.end(), is_fresh));
}

std::unique_ptr<wire::Connection> ConnectionPool::take_fresh() {
  const auto found = std::find_if(idle_.begin(), idle_.end(), is_fresh);
  if (found == idle_.end()) return nullptr;
  auto connection = std::move(*found);
  idle_.erase(found);
  return connection;
}

void ConnectionPool::note_death(const wire::Connection& connection) {
  if (connection.requests_carried > 0 && loop_.clock() - connection.idle_since < kHasty) reuses_ = false;
}

void ConnectionPool::give_back(std::unique_ptr<wire::Connection> connection) {
  if (!reuses_) {
    connection->close();
    loop_.bury(std::move(connection));
    return;
  }
  connection->set_owner(*this);
  connection->idle_since = loop_.clock();
  idle_.push_back(std::move(connection));
}

void ConnectionPool::on_open(wire::Connection& connection) {
  ++opened_;
  idle_.push_back(remove(opening_, connection));
  callbacks_.on_ready();
}

// An answer nobody asked for (a 408 before the close, say): this connection is of no more use.
void ConnectionPool::on_bytes(wire::Connection& connection, char*, std::size_t, const wire::ReadStamp&) {
  connection.close();
  drop_idle(connection);
}

void ConnectionPool::on_closed(wire::Connection& connection, const wire::Connection::Closing& closing) {
  if (auto failed = remove(opening_, connection)) {
    loop_.bury(std::move(failed));
    callbacks_.on_failed(closing.error.message.empty() ? Error{ErrorCode::io, text::say(text::Msg::closed_early)}
                                                       : closing.error);
    return;
  }
  note_death(connection);
  drop_idle(connection);
}

void ConnectionPool::drop_idle(const wire::Connection& connection) {
  if (auto dropped = remove(idle_, connection)) loop_.bury(std::move(dropped));
}

void ConnectionPool::maintain(Instant now) {
  std::erase_if(idle_, [&](auto& each) { return now - each->idle_since > kIdleLimit; });
  for (std::size_t i = 0; i < opening_.size();) {
    if (now - opening_[i]->started_at() < connect_timeout_) {
      ++i;
      continue;
    }
    auto slow = std::move(opening_[i]);
    opening_.erase(opening_.begin() + static_cast<std::ptrdiff_t>(i));
    slow->close();
    loop_.bury(std::move(slow));
    callbacks_.on_failed({ErrorCode::timed_out, text::say(text::Msg::connect_timed_out, target_.address.to_string())});
  }
}

void ConnectionPool::close_all() {
  idle_.clear();
  opening_.clear();
}

}  // namespace scoville::load
