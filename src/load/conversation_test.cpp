#include "load/conversation.hpp"

#include <doctest/doctest.h>

#include <memory>

namespace scoville::load {
namespace {

Instant at(int ms) { return Instant(std::chrono::milliseconds(ms)); }

TEST_CASE("what is due first comes first, and of equal times what was added first") {
  TimedQueue<std::unique_ptr<int>> queue;
  queue.add(at(30), std::make_unique<int>(3));
  queue.add(at(10), std::make_unique<int>(1));
  queue.add(at(30), std::make_unique<int>(4));
  queue.add(at(20), std::make_unique<int>(2));
  CHECK(queue.first_due() == at(10));
  for (int expected = 1; expected <= 4; ++expected) CHECK(*queue.take() == expected);
  CHECK(queue.empty());
}

TEST_CASE("the next turn of a conversation is the one after its answers") {
  Conversation conversation{5, {10, 3}, {}};
  CHECK(conversation.next_turn() == 0);
  conversation.answers = {"one", "two"};
  CHECK(conversation.next_turn() == 2);
  CHECK(conversation.has_turn_after(1));
  CHECK(!conversation.has_turn_after(2));
}

}  // namespace
}  // namespace scoville::load
