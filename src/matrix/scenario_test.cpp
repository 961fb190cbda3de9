#include "matrix/scenario.hpp"

#include <doctest/doctest.h>

#include <numeric>

#include "matrix/template.hpp"

namespace scoville::matrix {
namespace {

const Scenario& chat() {
  static const Scenario scenario = *find_scenario("chat");
  return scenario;
}

}  // namespace

TEST_CASE("the seven scenarios are built in; their weights are those of the reference and add up to 1") {
  std::vector<std::string> names;
  for (const Scenario& each : built_in_scenarios()) {
    names.push_back(each.name);
    const std::vector<double> weights = each.weights();
    CHECK(weights.size() == 7);
    CHECK(std::accumulate(weights.begin(), weights.end(), 0.0) == doctest::Approx(1));
    CHECK_FALSE(each.knock_outs.empty());
    for (const Criterion& criterion : each.criteria) CHECK_FALSE(criterion.basis.empty());
    for (const SloDefault& slo : each.slos) CHECK_FALSE(slo.source.empty());
  }
  CHECK(names == std::vector<std::string>{"agents", "chat", "code", "lora", "offline", "pretraining", "rag"});
  CHECK(chat().weights() == std::vector<double>{.15, .30, .25, .05, .05, .10, .10});
  CHECK(find_scenario("offline")->weights() == std::vector<double>{.30, 0, .35, .20, .05, .05, .05});
}

TEST_CASE("default limits by variant: MLPerf v6.1 for chat, guidellm for RAG") {
  CHECK(chat().slos.size() == 10);
  const SloDefault* const llama = chat().find_slo("interactive-405b");
  REQUIRE(llama);
  CHECK(llama->limits.at("ttft_p99") == 4500);
  CHECK(llama->limits.at("tpot_p99") == 80);
  CHECK(find_scenario("rag")->find_slo("rag")->limits.at("e2e_p99") == 3000);
  CHECK(find_scenario("pretraining")->find_slo("cluster")->least.at("scaling_efficiency") == 0.85);
  CHECK(chat().find_slo("none") == nullptr);
}

TEST_CASE("every limit is one of a measure of the built-in matrix, on its worse side") {
  const Template& form = built_in_templates().front();
  for (const Scenario& scenario : built_in_scenarios()) {
    for (const SloDefault& slo : scenario.slos) {
      for (const auto& [measure, limit] : slo.limits) {
        CAPTURE(measure);
        REQUIRE(form.find_measure(measure));
        CHECK_FALSE(form.find_measure(measure)->is_higher_better);
      }
      for (const auto& [measure, limit] : slo.least) {
        CAPTURE(measure);
        REQUIRE(form.find_measure(measure));
        CHECK(form.find_measure(measure)->is_higher_better);
      }
    }
  }
}

TEST_CASE("a utility is 0 at the knock-out's limit and 1 where it is excellent, and stays within") {
  const Criterion throughput{"throughput", {}, 0.2, "goodput_ratio", "1", 0.5, 2.0, "test"};
  CHECK(throughput.utility(0.5) == 0);
  CHECK(throughput.utility(1.25) == doctest::Approx(0.5));
  CHECK(throughput.utility(3) == 1);
  const Criterion latency{"latency", {}, 0.2, "latency_of_limit", "1", 1.0, 0.25, "test"};  // less is better
  CHECK(latency.utility(0.25) == 1);
  CHECK(latency.utility(0.625) == doctest::Approx(0.5));
  CHECK(latency.utility(1.2) == 0);
}

TEST_CASE("an arm needs a value for everything that weighs; a range becomes a range of utilities") {
  ArmValues values;
  values.name = "B";
  for (const Criterion& each : chat().criteria) values.utilities[each.id] = 0.5;
  values.utilities.erase("latency");
  CHECK(make_arm(chat(), values).missing == std::vector<std::string>{"latency"});
  Estimate measured;
  measured.value = 0.625;
  measured.low = 0.55;
  measured.high = 0.7;
  values.values["latency"] = measured;
  const MadeArm made = make_arm(chat(), values);
  REQUIRE(made.arm);
  CHECK(made.arm->utilities[1] == doctest::Approx(0.5));
  CHECK(made.arm->low[1] == doctest::Approx(0.4));  // (0.7 − 1) / (0.25 − 1)
  CHECK(made.arm->high[1] == doctest::Approx(0.6));
  const Scenario offline = *find_scenario("offline");  // latency weighs nothing there
  values.values.clear();
  CHECK(make_arm(offline, values).missing.empty());
}

TEST_CASE("weights that do not add up to 1 are a fault of the file") {
  const auto root = config::Node::parse(
      "name: x\nversion: 1\ntitle: X\ncriteria:\n"
      "  - {id: a, title: A, weight: 0.5, measure: m, zero: 0, one: 1, basis: b}\n"
      "  - {id: b, title: B, weight: 0.4, measure: m, zero: 0, one: 1, basis: b}\n",
      "s.yaml");
  REQUIRE(root.ok());
  const auto read = root->finish(read_scenario(*root));
  REQUIRE_FALSE(read.ok());
  CHECK(read.error().message.find("0.9") != std::string::npos);
}

}  // namespace scoville::matrix
