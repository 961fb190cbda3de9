#include "endpoint/agenda.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "base/rng.hpp"

namespace scoville::endpoint {
namespace {

struct Item {
  AgendaPlace agenda_place;
  Instant due{};
};

Instant at(std::uint64_t nanos) { return Instant(Nanos(nanos)); }

std::vector<Instant> drain(Agenda<Item>& agenda) {
  std::vector<Instant> order;
  while (!agenda.empty()) {
    CHECK(agenda.next().due == agenda.next_due());
    order.push_back(agenda.next_due());
    agenda.remove(agenda.next());
  }
  return order;
}

}  // namespace

TEST_CASE("the earliest item is always next, whatever was put, moved and removed before") {
  Rng rng(7);
  std::vector<Item> items(500);
  Agenda<Item> agenda;
  for (int step = 0; step < 5000; ++step) {
    Item& item = items[rng.below(items.size())];
    if (rng.below(4) == 0) {
      agenda.remove(item);
    } else {
      item.due = at(rng.below(1000));
      agenda.put(item, item.due);
    }
  }
  std::vector<Instant> expected;
  for (const Item& item : items) {
    if (item.agenda_place.index != AgendaPlace::kNone) expected.push_back(item.due);
  }
  std::sort(expected.begin(), expected.end());
  CHECK(agenda.size() == expected.size());
  CHECK(drain(agenda) == expected);
}

TEST_CASE("an item stands in once: put again, it moves") {
  Item a{{}, at(10)}, b{{}, at(20)};
  Agenda<Item> agenda;
  agenda.put(a, a.due);
  agenda.put(b, b.due);
  a.due = at(30);
  agenda.put(a, a.due);
  CHECK(drain(agenda) == std::vector<Instant>{at(20), at(30)});
  agenda.remove(a);  // not in: nothing happens
  CHECK(agenda.empty());
}

}  // namespace scoville::endpoint
