#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace scoville::endpoint {

/// A fixed number of slots and the queue before them, first come first served.
///
/// `Item` is any handle of a request; the order of the queue is that of the calls. A limit of 0 means slots for all.
template <class Item>
class Slots {
 public:
  using Ticket = std::uint64_t;
  enum class Entry { started, waits, refused };

  Slots(std::uint64_t limit, std::optional<std::uint64_t> longest_queue)
      : limit_(limit), longest_queue_(longest_queue) {}

  /// `ticket` is set where the item waits.
  Entry enter(Item item, Ticket& ticket) {
    if (limit_ == 0 || running_ < limit_) {
      ++running_;
      return Entry::started;
    }
    if (longest_queue_ && waiting_.size() >= *longest_queue_) return Entry::refused;
    ticket = next_ticket_++;
    waiting_.emplace(ticket, item);
    return Entry::waits;
  }

  /// A started item is through. The next of the queue, if any, is started in its place.
  std::optional<Item> release() {
    if (waiting_.empty()) {
      --running_;
      return std::nullopt;
    }
    const Item next = waiting_.begin()->second;
    waiting_.erase(waiting_.begin());
    return next;
  }

  /// A waiting item has gone.
  void leave(Ticket ticket) { waiting_.erase(ticket); }

  std::uint64_t running() const { return running_; }
  std::uint64_t waiting() const { return waiting_.size(); }

 private:
  std::uint64_t limit_, running_ = 0;
  std::optional<std::uint64_t> longest_queue_;
  Ticket next_ticket_ = 0;
  std::map<Ticket, Item> waiting_;
};

}  // namespace scoville::endpoint
