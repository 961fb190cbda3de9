#include "config/node.hpp"

#include <doctest/doctest.h>

namespace scoville::config {
namespace {

Node read(const std::string& yaml) {
  Result<Node> root = Node::parse(yaml, "cost.yaml");
  REQUIRE(root.ok());
  return *root;
}

std::string message(const Node& node) {
  const Status status = node.finish();
  return status.ok() ? "" : status.error().message;
}

}  // namespace

TEST_CASE("values of each kind are read, and nothing is said of a file without fault") {
  const Node root = read("a: 1.5\nb: word\nc: true\nd: [x, y]\ne: 2026-02-28\nf: 72h\ng: {n: 7}\nh: two\n");
  CHECK(root.number("a", kAboveZero) == 1.5);
  CHECK(root.text("b") == "word");
  CHECK(root.flag_or("c", false));
  CHECK(root.maybe_texts("d") == std::vector<std::string>{"x", "y"});
  CHECK(root.date("e") == "2026-02-28");
  CHECK(*root.maybe_duration("f") == std::chrono::hours(72));
  CHECK(root.map("g").count("n", 1, 10) == 7);
  CHECK(root.choice("h", {"one", "two"}) == 1);
  CHECK_FALSE(root.maybe_number("i", kAny).has_value());
  CHECK(message(root) == "");
}

TEST_CASE("a fault says file, line, field and what was expected") {
  const Node root = read("site:\n  pue: [1]\n  kwh: -3\n");
  const Node site = root.map("site");
  site.number("pue", {1, 3});
  site.number("kwh", kAtLeastZero);
  CHECK(message(root) ==
        "cost.yaml:2: site.pue: found a list; expected a number from 1 to 3 (1 more fault in this file)");
}

TEST_CASE("a missing key is told where its map begins, and once") {
  const Node root = read("name: x\nsite:\n  pue: 1.3\n");
  root.text("name");
  const Node site = root.map("site");
  site.number("pue", {1, 3});
  site.map("grid").number("price", kAboveZero);  // what lies in a missing map is not missed as well
  CHECK(message(root) == "cost.yaml:3: site.grid: missing; expected keys with values");
}

TEST_CASE("a key that nobody asked for is a fault, with the nearest name that somebody did") {
  const Node root = read("pue: 1\nprice_kwhh: 2\ncolour: red\n");
  root.number("pue", kAny);
  root.maybe_number("price_kwh", kAny);
  CHECK(message(root).starts_with("cost.yaml:2: price_kwhh: unknown key; did you mean price_kwh?"));
  const Node other = read("pue: 1\ncolour: red\n");
  other.number("pue", kAny);
  CHECK(message(other) == "cost.yaml:2: colour: unknown key; known here: pue");
}

TEST_CASE("a misspelt key is told before what is missing because of it") {
  const Node root = read("site: {prce: 1}\n");
  root.map("site").number("price", kAny);
  CHECK(message(root).starts_with("cost.yaml:1: site.prce: unknown key; did you mean price?"));
}

TEST_CASE("a key that stands twice is a fault") {
  const Node root = read("pue: 1\npue: 2\n");
  root.number("pue", kAny);
  CHECK(message(root) == "cost.yaml:2: pue: this key stands here twice");
}

TEST_CASE("elements of a list have a name and a line of their own") {
  const Node root = read("options:\n- {name: A}\n- {name: B, price: much}\n");
  for (const Node& each : root.list("options")) {
    each.text("name");
    each.maybe_number("price", kAboveZero);
  }
  CHECK(message(root) == "cost.yaml:3: options[1].price: found \"much\"; expected a number above 0");
}

TEST_CASE("lists within lists are read by their elements; what is no list is a fault") {
  const Node root = *Node::parse("pairs: [[1, 2], 3]\n", "a.yaml");
  const std::vector<Node> rows = root.list("pairs");
  REQUIRE(rows.size() == 2);
  REQUIRE(rows[0].items().size() == 2);
  CHECK(rows[0].items()[1].as_number(kAny) == 2);
  CHECK(rows[1].items().empty());
  CHECK(root.finish().error().message.starts_with("a.yaml:1: pairs[1]:"));
}

TEST_CASE("what is not YAML, or not a map, is one line") {
  CHECK(Node::parse("a: [1", "x.yaml").error().message.starts_with("x.yaml:"));
  CHECK(Node::parse("- 1\n", "x.yaml").error().message == "x.yaml: found a list; expected keys with values");
  CHECK(Node::parse("", "x.yaml").error().message == "x.yaml: found –; expected keys with values");
}

TEST_CASE("a range says both its ends, the one that does not belong to it too") {
  CHECK(expected_number({0, 1, true}) == "a number above 0, at most 1");
  CHECK(expected_number(kAboveZero) == "a number above 0");
  CHECK(expected_number(kShare) == "a number from 0 to 1");
}

TEST_CASE("a day must exist") {
  CHECK(is_date("2024-02-29"));
  CHECK_FALSE(is_date("2026-02-29"));
  CHECK_FALSE(is_date("2026-13-01"));
  CHECK_FALSE(is_date("2026-1-01"));
  CHECK_FALSE(is_date("tomorrow!!"));
}

TEST_CASE("numbers are finite and whole where they count") {
  const Node root = read("a: .inf\nb: 1.5\nc: 1e3\nd: +2\n");
  root.number("a", kAny);
  CHECK(root.count("c", 0, 5000) == 1000);
  CHECK(root.number("d", kAny) == 2);
  root.count("b", 0, 9);
  CHECK(message(root) == "cost.yaml:1: a: found \".inf\"; expected a number (1 more fault in this file)");
}

}  // namespace scoville::config
