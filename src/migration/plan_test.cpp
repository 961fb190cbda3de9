#include "migration/plan.hpp"

#include <doctest/doctest.h>

namespace scoville::migration {
namespace {

Result<Plan> read(const std::string& yaml) {
  const Result<config::Node> root = config::Node::parse(yaml, "p.yaml");
  REQUIRE(root.ok());
  return root->finish(read_plan(*root));
}

bool says(const std::string& yaml, const std::string& part) {
  const Result<Plan> plan = read(yaml);
  REQUIRE_FALSE(plan.ok());
  CAPTURE(plan.error().message);
  return plan.error().message.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the default table has the seven parts; its likely values are three engineers for two quarters") {
  double likely = 0;
  for (const Item& each : default_items()) {
    likely += each.likely;
    CHECK(each.basis == Basis::assumption);
    CHECK_FALSE(each.source.empty());
    CHECK_FALSE(each.source_zh.empty());
    CHECK_FALSE(each.title.chinese.empty());
  }
  CHECK(default_items().size() == 7);
  CHECK(likely == 3 * 0.5 * 220);
}

TEST_CASE("what a plan names replaces the assumption; what it does not name stays one") {
  const auto plan = read(
      "items:\n"
      "  operators: {low: 20, likely: 30, high: 60, basis: estimate, source: the compiler team, date: 2026-08-01}\n"
      "  image: none\n"
      "  training: {title: {en: training the team, zh: 培训}, low: 5, likely: 5, high: 5, basis: quote, source: "
      "vendor}\n"
      "people: {cost_per_year: 450000, currency: CNY, source: HR, date: 2026-01-01}\n"
      "engineers: 3\ncorrelation: 0.5\nshape: pert\n");
  REQUIRE_MESSAGE(plan.ok(), plan.error().message);
  CHECK(plan->items.size() == 7);  // one out, one in
  CHECK(plan->find("image") == nullptr);
  CHECK(plan->find("operators")->basis == Basis::estimate);
  CHECK(plan->find("operators")->is_to_first_token);  // of the table
  CHECK(plan->find("training")->title.chinese == "培训");
  CHECK(plan->find("monitoring")->basis == Basis::assumption);
  CHECK(plan->people->per_year == 450'000);
  CHECK(plan->shape == Shape::pert);
  CHECK(plan->correlation == 0.5);
}

TEST_CASE("no map reads as the default table") {
  const Result<config::Node> root = config::Node::parse("a: 1\n", "p.yaml");
  REQUIRE(root.ok());
  CHECK(read_plan(root->maybe_map("migration")).items.size() == 7);
}

TEST_CASE("faults are told where they stand") {
  CHECK(says("items:\n  operators: {low: 20, likely: 10, high: 60, basis: estimate, source: s}\n",
             "p.yaml:2: items.operators:"));
  CHECK(says("items: {operator: {low: 1, likely: 1, high: 1, basis: estimate, source: s}}\n", "operators"));
  CHECK(says("items: {operators: {low: 1, likely: 1, high: 1, basis: guess, source: s}}\n", "assumption, estimate"));
  CHECK(says("items: {operators: {low: 1, likely: 1, high: 1, basis: estimate}}\n", "source"));
  CHECK(says("items: {operators: 12}\n", "none"));
  CHECK(says("correlation: 1.5\n", "correlation"));
  CHECK(says("people: {cost_per_year: 1, currency: yuan, source: s}\n", "CNY"));
  CHECK(says("item: {}\n", "items?"));
}

}  // namespace scoville::migration
