#include "correctness/accuracy_gate.hpp"

#include <doctest/doctest.h>

namespace scoville::correctness {
namespace {

event::Fingerprint system(const std::string& quantisation) {
  event::Fingerprint made;
  made.add("engine.name", "vllm", "test");
  made.add("model.quantisation", json::string(quantisation), "test");
  made.add("device.nvidia.0.name", "H20", "test");
  made.add("os.kernel", "6.1", "test");               // the host does not matter
  made.add("model.id", "local path", "test", false);  // not comparable
  made.miss("model.sha256", event::FieldStatus::absent, "test");
  return made;
}

json::value body(const AccuracyFacts& reference, const AccuracyFacts& candidate) {
  json::array arms;
  for (const AccuracyFacts& each : {reference, candidate}) {
    json::object facts;
    for (const auto& [key, value] : each) facts[key] = value;
    arms.push_back(json::object{{"accuracy_facts", std::move(facts)}});
  }
  return json::object{{"schema", "scoville.correctness/1"},
                      {"id", "20261130T101530Z-9f3c2a71"},
                      {"arms", std::move(arms)},
                      {"tasks", json::object{{"sha256", "abc"}}},
                      {"gate", json::object{{"verdict", "pass"}, {"accuracy_target", 0.99}}}};
}

}  // namespace

TEST_CASE("facts are what answers depend on, and what is known of it") {
  CHECK(accuracy_facts(system("fp8")) ==
        AccuracyFacts{{"device.nvidia.0.name", "H20"}, {"engine.name", "vllm"}, {"model.quantisation", "fp8"}});
}

TEST_CASE("a pair of systems has one key, whichever is named first; another precision has another") {
  const auto a = system("none"), b = system("fp8"), c = system("int4");
  CHECK(accuracy_subject(a, b) == accuracy_subject(b, a));
  CHECK(accuracy_subject(a, b) != accuracy_subject(a, c));
  CHECK(accuracy_subject(a, b).size() == 33);
  event::Fingerprint other_host = system("fp8");
  other_host.add("os.kernel", "5.10", "test");
  CHECK(accuracy_subject(a, other_host) == accuracy_subject(a, b));
}

TEST_CASE("a stored check is read back, and knows which systems it is about, in either order") {
  const AccuracyFacts a{{"model.quantisation", "none"}}, b{{"model.quantisation", "fp8"}};
  const auto gate = accuracy_gate_from(body(a, b));
  REQUIRE(gate.ok());
  CHECK(gate->verdict == GateVerdict::pass);
  CHECK(gate->target == 0.99);
  CHECK(gate->tasks_sha256 == "abc");
  CHECK(gate->reference == a);
  REQUIRE(gate->covers(b, a).has_value());
  CHECK(gate->covers(b, a)->unverified.empty());
  CHECK_FALSE(gate->covers(a, a).has_value());
  CHECK_FALSE(gate->covers(a, {{"model.quantisation", "int4"}}).has_value());
}

TEST_CASE("what only one side knows makes a match unverified, not wrong") {
  const AccuracyFacts a{{"engine.name", "vllm"}, {"model.quantisation", "none"}}, b{{"model.quantisation", "fp8"}};
  const AccuracyFacts a_now{{"model.quantisation", "none"}, {"model.sha256", "1"}};
  const auto gate = accuracy_gate_from(body(a, b));
  REQUIRE(gate.ok());
  const auto found = gate->covers(a_now, b);
  REQUIRE(found.has_value());
  CHECK(found->unverified == std::vector<std::string>{"engine.name", "model.sha256"});
}

TEST_CASE("what is no check is refused with the member at fault") {
  const auto refusal = [](const json::value& value) {
    const auto gate = accuracy_gate_from(value);
    return gate.ok() ? std::string() : gate.error().message;
  };
  json::value made = body({}, {});
  made.as_object()["schema"] = "scoville.run/1";
  CHECK(refusal(made).starts_with("schema"));
  made = body({}, {});
  made.at("gate").as_object()["verdict"] = "maybe";
  CHECK(refusal(made).starts_with("gate.verdict"));
  made = body({}, {});
  made.at("arms").as_array().resize(1);
  CHECK(refusal(made).starts_with("arms"));
  CHECK_FALSE(refusal(nullptr).empty());
}

}  // namespace scoville::correctness
