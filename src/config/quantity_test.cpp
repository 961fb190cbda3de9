#include "config/quantity.hpp"

#include <doctest/doctest.h>

namespace scoville::config {

TEST_CASE("a quantity is a bare number, or a map with range, source and date") {
  const Result<Node> root =
      Node::parse("a: 0.1\nb: {value: 0.1, low: 0.05, high: 0.15, source: owner, date: 2026-08-01}\n", "x");
  REQUIRE(root.ok());
  const Quantity a = quantity(*root, "a", kShare), b = quantity(*root, "b", kShare);
  CHECK(a.value == 0.1);
  CHECK_FALSE(a.is_uncertain());
  CHECK(b.low == 0.05);
  CHECK(b.high == 0.15);
  CHECK(b.source == "owner");
  CHECK(b.date == "2026-08-01");
  CHECK(b.line == 2);
  Quantity fallback;
  fallback.value = 0.5;
  fallback.is_default = true;
  CHECK(quantity_or(*root, "c", kShare, fallback).is_default);
  CHECK(root->finish().ok());
}

TEST_CASE("a range that does not hold its value is a fault; a missing quantity too") {
  const Result<Node> root = Node::parse("a: {value: 0.1, low: 0.2}\n", "x");
  REQUIRE(root.ok());
  quantity(*root, "a", kShare);
  CHECK(root->finish().error().message == "x:1: a: expected low ≤ value ≤ high");
  const Result<Node> other = Node::parse("b: 1\n", "x");
  quantity(*other, "b", kAny);
  quantity(*other, "a", kShare);
  CHECK(other->finish().error().message == "x:1: a: missing; expected a number from 0 to 1");
}

}  // namespace scoville::config
