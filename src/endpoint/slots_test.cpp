#include "endpoint/slots.hpp"

#include <doctest/doctest.h>

namespace scoville::endpoint {

using Entry = Slots<int>::Entry;

TEST_CASE("two slots start two requests, the others start in their order as slots become free") {
  Slots<int> slots(2, std::nullopt);
  Slots<int>::Ticket ticket = 0;
  CHECK(slots.enter(1, ticket) == Entry::started);
  CHECK(slots.enter(2, ticket) == Entry::started);
  CHECK(slots.enter(3, ticket) == Entry::waits);
  CHECK(slots.enter(4, ticket) == Entry::waits);
  CHECK(slots.waiting() == 2);
  CHECK(slots.release() == 3);
  CHECK(slots.release() == 4);
  CHECK(slots.running() == 2);
  CHECK_FALSE(slots.release());
  CHECK(slots.running() == 1);
}

TEST_CASE("a full queue refuses, and one that leaves makes room") {
  Slots<int> slots(1, 1);
  Slots<int>::Ticket second = 0, other = 0;
  CHECK(slots.enter(1, other) == Entry::started);
  CHECK(slots.enter(2, second) == Entry::waits);
  CHECK(slots.enter(3, other) == Entry::refused);
  slots.leave(second);
  CHECK(slots.enter(4, other) == Entry::waits);
  CHECK(slots.release() == 4);
}

TEST_CASE("without a limit everybody starts") {
  Slots<int> slots(0, 0);
  Slots<int>::Ticket ticket = 0;
  for (int i = 0; i < 100; ++i) CHECK(slots.enter(i, ticket) == Entry::started);
  CHECK_FALSE(slots.release());
  CHECK(slots.running() == 99);
}

}  // namespace scoville::endpoint
