#include "operators/asking.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>

using namespace scoville;
using namespace scoville::operators;
using probe::Fault;
using probe::Outcome;
using probe::Reason;

namespace {

/// A probe that dies at the cases whose number is in `deadly`.
struct Scripted {
  std::vector<std::size_t> deadly;
  Reason how = Reason::crash;
  std::size_t questions = 0;

  Outcome operator()(const json::object& params) {
    ++questions;
    Outcome outcome;
    for (const json::value& each : params.at("cases").as_array()) {
      const auto number = each.at("case").to_number<std::size_t>();
      if (std::find(deadly.begin(), deadly.end(), number) != deadly.end()) {
        outcome.fault = Fault{how, "dead"};
        return outcome;
      }
      outcome.rows.push_back({{"case", number}, {"outcome", "ran"}, {"rel_l2", 0.0}, {"device_of_result", "cpu"}});
    }
    outcome.result = json::object();
    return outcome;
  }
};

const Table& table() { return built_in_table(); }
const Operator& op() { return *table().named("silu").front(); }

}  // namespace

TEST_CASE("a crash costs one case: the rest is asked again") {
  Scripted probe{{5, 9}};
  const Asked asked = ask(table(), op(), cases_of(op()), "cpu", {}, std::ref(probe));
  REQUIRE(asked.cases.size() == 24);
  CHECK(probe.questions == 3);
  for (std::size_t i = 0; i < 24; ++i) {
    CHECK(asked.cases[i].what.number == i);
    CHECK(asked.cases[i].ending == (i == 5 || i == 9 ? Ending::crash : Ending::ran));
  }
}

TEST_CASE("after three dead probes the rest is skipped, and says so") {
  Scripted probe{{0, 1, 2, 3}, Reason::timeout};
  const Asked asked = ask(table(), op(), cases_of(op()), "cpu", {}, std::ref(probe));
  CHECK(probe.questions == 3);
  CHECK(asked.cases[2].ending == Ending::timeout);
  CHECK(asked.cases[3].ending == Ending::skipped);
  CHECK(asked.cases.size() == 24);
}

TEST_CASE("no such device ends everything") {
  Scripted probe{{0}, Reason::no_device};
  const Asked asked = ask(table(), op(), cases_of(op()), "cuda", {}, std::ref(probe));
  REQUIRE(asked.end);
  CHECK(asked.end->reason == Reason::no_device);
}

TEST_CASE("what is refused only when falling back is not allowed was computed on the CPU") {
  Scripted lenient{};
  Asked asked = ask(table(), op(), cases_of(op(), {{"fp32"}}), "cpu", {}, std::ref(lenient));
  confirm(table(), op(), asked.cases, [](const json::object& params) {
    Outcome outcome;
    for (const json::value& each : params.at("cases").as_array()) {
      const bool refuses = each.at("direction") == "forward";
      outcome.rows.push_back({{"case", each.at("case")},
                              {"outcome", refuses ? "refused" : "ran"},
                              {"reason", refuses ? json::value("unsupported") : json::value()},
                              {"message", "not allowed"}});
    }
    outcome.result = json::object();
    return outcome;
  });
  CHECK(asked.cases[0].by_strict);
  CHECK(asked.cases[0].strict_refusal == "not allowed");
  CHECK_FALSE(asked.cases[1].by_strict);  // backward
}
