#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/units.hpp"

namespace scoville::endpoint {

/// Where an item stands in its Agenda. Written by the agenda alone.
struct AgendaPlace {
  static constexpr std::size_t kNone = ~std::size_t{0};
  std::size_t index = kNone;
};

/// Items by the time they are due: each once, the earliest first.
///
/// A heap of four children to a node, in one vector: moving the earliest item to its next time, which happens once per
/// event, touches a few neighbouring cache lines and allocates nothing. Items own their place, so that any of them can
/// be moved or removed without a search. Times that are equal come in no particular order.
///
/// `Item` has a member `AgendaPlace agenda_place`. The agenda owns no item.
template <class Item>
class Agenda {
 public:
  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size(); }
  /// Precondition of both: not empty.
  Instant next_due() const { return heap_.front().due; }
  Item& next() const { return *heap_.front().item; }

  /// Puts the item in, or moves it to another time.
  void put(Item& item, Instant due) {
    std::size_t index = item.agenda_place.index;
    if (index == AgendaPlace::kNone) {
      index = heap_.size();
      heap_.push_back({due, &item});
    }
    settle(index, {due, &item});
  }

  /// Nothing happens where it is not in.
  void remove(Item& item) {
    const std::size_t index = item.agenda_place.index;
    if (index == AgendaPlace::kNone) return;
    item.agenda_place.index = AgendaPlace::kNone;
    const Entry last = heap_.back();
    heap_.pop_back();
    if (last.item != &item) settle(index, last);
  }

 private:
  struct Entry {
    Instant due;
    Item* item;
  };
  static constexpr std::size_t kChildren = 4;

  void place(std::size_t index, const Entry& entry) {
    heap_[index] = entry;
    entry.item->agenda_place.index = index;
  }

  /// Puts `entry` where it belongs, up or down from the hole at `index`.
  void settle(std::size_t index, Entry entry) {
    while (index > 0) {
      const std::size_t parent = (index - 1) / kChildren;
      if (heap_[parent].due <= entry.due) break;
      place(index, heap_[parent]);
      index = parent;
    }
    for (;;) {
      const std::size_t first = index * kChildren + 1;
      if (first >= heap_.size()) break;
      std::size_t least = first;
      for (std::size_t i = first + 1; i < std::min(first + kChildren, heap_.size()); ++i) {
        if (heap_[i].due < heap_[least].due) least = i;
      }
      if (heap_[least].due >= entry.due) break;
      place(index, heap_[least]);
      index = least;
    }
    place(index, entry);
  }

  std::vector<Entry> heap_;
};

}  // namespace scoville::endpoint
