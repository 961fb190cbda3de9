#include "claim/verdict.hpp"

#include <doctest/doctest.h>

#include <string>

namespace scoville::claim {
namespace {

Measured measured(double lo, double hi, double margin = 0.02) {
  Measured out;
  out.ratio = (lo + hi) / 2;
  out.lo = lo;
  out.hi = hi;
  out.margin = margin;
  out.slower = hi < 1;
  out.equivalent = lo >= 1 / (1 + margin) && hi <= 1 + margin;
  out.is_matched = out.is_verified = true;
  return out;
}

/// Complete enough to be tested: throughput of X against Y on one model.
Claim claim_of(double ratio) {
  Claim out;
  out.party = "X Inc";
  out.role = Role::vendor;
  out.url = "https://x.example/claim";
  out.ratio = Ratio{ratio, ratio};
  for (const auto& [key, words] : {std::pair("subject.device", "X"),
                                   {"comparator.device", "Y"},
                                   {"metric.name", "throughput"},
                                   {"workload.model", "M"}})
    out.said[key] = {words, words};
  return out;
}

Measured reported(double ratio, const std::string& party, Role by = Role::vendor) {
  Measured out;
  out.ratio = ratio;
  out.by = by;
  out.party = party;
  return out;
}

}  // namespace

// c = 2, m = 0.02: c(1 − m) = 1.96, 1 + m = 1.02. Each line is one line of the rule.
TEST_CASE("an interval against a claimed ratio has the verdict of the rule") {
  CHECK(judge(measured(1.96, 2.3), 2.0, false) == Verdict::supported_as_stated);
  CHECK(judge(measured(1.9599, 2.3), 2.0, false) == Verdict::direction_supported_size_open);
  CHECK(judge(measured(1.03, 1.96), 2.0, false) == Verdict::direction_supported_size_open);
  CHECK(judge(measured(1.03, 1.95), 2.0, false) == Verdict::direction_supported_size_refuted);
  CHECK(judge(measured(1.02, 1.5), 2.0, false) == Verdict::size_refuted_direction_open);  // lo > 1 + m, not ≥
  CHECK(judge(measured(0.9, 1.5), 2.0, false) == Verdict::size_refuted_direction_open);
  CHECK(judge(measured(0.99, 1.01), 2.0, false) == Verdict::refuted);  // equivalent
  CHECK(judge(measured(0.7, 0.9), 2.0, false) == Verdict::refuted);    // slower
  CHECK(judge(measured(0.9, 2.0), 2.0, false) == Verdict::inconclusive);
}

TEST_CASE("a claim without a size is held to its direction") {
  CHECK(judge(measured(1.03, 1.2), std::nullopt, false) == Verdict::supported_as_stated);
  CHECK(judge(measured(0.99, 1.01), std::nullopt, false) == Verdict::refuted);
  CHECK(judge(measured(1.0, 1.2), std::nullopt, false) == Verdict::inconclusive);
}

TEST_CASE("a bare value is reached, missed, or open") {
  CHECK(judge(measured(0.98, 1.1), 1.0, true) == Verdict::supported_as_stated);
  CHECK(judge(measured(0.8, 0.97), 1.0, true) == Verdict::refuted);
  CHECK(judge(measured(0.8, 1.1), 1.0, true) == Verdict::inconclusive);
}

TEST_CASE("who is not named supports nothing, unless we measured it ourselves") {
  Claim claim = claim_of(2);
  claim.role = Role::anonymous;
  CHECK(rule(claim, {}).verdict == Verdict::unsupported);
  claim.role = Role::vendor;
  claim.url.clear();
  CHECK(rule(claim, {}).verdict == Verdict::unsupported);
  CHECK(rule(claim, {reported(2, "Z", Role::independent)}).verdict == Verdict::unsupported);
  CHECK(rule(claim, {measured(1.97, 2.1)}).verdict == Verdict::supported_as_stated);
}

TEST_CASE("without metric, subject, comparator or workload a claim is untestable, and says which") {
  for (const char* key : {"metric.name", "subject.device", "comparator.device", "workload.model"}) {
    Claim claim = claim_of(2);
    claim.said.erase(claim.said.find(key));
    const Ruling ruling = rule(claim, {});
    CHECK(ruling.verdict == Verdict::untestable);
    CHECK(ruling.fields == std::vector<std::string>{key});
  }
}

TEST_CASE("what our own test had to choose for the claim makes its support conditional") {
  Claim claim = claim_of(2);
  claim.said.erase(claim.said.find("workload.model"));
  const Ruling ruling = rule(claim, {measured(1.97, 2.1)});
  CHECK(ruling.verdict == Verdict::supported_with_conditions);
  CHECK(ruling.reason == Reason::conditions_ours);
}

TEST_CASE("performance per watt is undefined without a unit and a boundary; a price without its basis") {
  Claim claim = claim_of(2);
  claim.said["metric.name"] = {"perf_per_watt", "perf_per_watt"};
  CHECK(rule(claim, {}).fields == std::vector<std::string>{"metric.boundary", "metric.unit"});
  claim.said["metric.name"] = {"price_performance", "price_performance"};
  CHECK(rule(claim, {}).fields == std::vector<std::string>{"price.basis"});
}

TEST_CASE("different precision is no comparison, unless its accuracy is said") {
  Claim claim = claim_of(2);
  claim.said["numerics.weights"] = {"fp4", "FP8"};
  CHECK(rule(claim, {}).verdict == Verdict::not_comparable);
  CHECK(rule(claim, {}).fields == std::vector<std::string>{"numerics.weights"});
  claim.said["numerics.accuracy"] = {"99.2 % of bf16 on MMLU", "99.6 %"};
  CHECK(rule(claim, {}).verdict == Verdict::inconclusive);
  CHECK(rule(claim, {}).reason == Reason::not_measured);
}

TEST_CASE("like for like the other way round refutes a claim that set unlike against unlike") {
  Claim claim = claim_of(24);
  claim.said["numerics.weights"] = {"fp8", "fp64"};
  Measured matched = reported(0.487, "N", Role::independent);
  CHECK(rule(claim, {matched}).verdict == Verdict::not_comparable);  // nobody says that it was matched
  matched.is_matched = true;
  CHECK(rule(claim, {matched}).verdict == Verdict::refuted_as_stated);
  matched.ratio = 1.5;
  CHECK(rule(claim, {matched}).verdict == Verdict::not_comparable);  // smaller, but not turned round
}

TEST_CASE("what cannot be had cannot be tested now") {
  Claim claim = claim_of(2);
  claim.is_available = false;
  CHECK(rule(claim, {}).verdict == Verdict::untestable_now);
  claim.is_available = true;
  claim.has_rival = false;
  CHECK(rule(claim, {}).fields == std::vector<std::string>{"comparator.available"});
}

TEST_CASE("a refused measurement leaves the claim incomparable, with the fields") {
  Measured refused;
  refused.refused = {"model.id", "workload.output_len"};
  const Ruling ruling = rule(claim_of(2), {refused});
  CHECK(ruling.verdict == Verdict::not_comparable);
  CHECK(ruling.fields == refused.refused);
  CHECK(ruling.cells.empty());
}

TEST_CASE("a party that repeats itself adds nothing; beside another's result its own counts as a cell") {
  const Claim claim = claim_of(2);
  CHECK(rule(claim, {reported(2, "X Inc")}).reason == Reason::not_measured);
  const Ruling both = rule(claim, {reported(2, "X Inc"), reported(0.5, "Y Inc")});
  CHECK(both.verdict == Verdict::inconclusive);
  CHECK(both.reason == Reason::contradicted);
  CHECK(both.cells.size() == 2);
  CHECK(rule(claim, {reported(0.5, "Y Inc")}).verdict == Verdict::inconclusive);  // a rival's word refutes nothing
}

TEST_CASE("a rival's contrary word settles nothing, unless it is of another cell, or somebody else has measured") {
  const Claim claim = claim_of(2);
  Measured own = reported(2, "X Inc"), rival = reported(0.5, "Y Inc");
  own.conditions = "FP8 on both";
  rival.conditions = "batch 1";
  CHECK(rule(claim, {own, rival}).reason == Reason::contradicted);
  rival.conditions = "FP16 on both";
  CHECK(rule(claim, {own, rival}).reason == Reason::holds_in_part);
  rival.conditions = "FP8 on both";
  CHECK(rule(claim, {own, rival}).verdict == Verdict::inconclusive);
  CHECK(rule(claim, {own, rival, reported(2.1, "Lab", Role::independent)}).reason == Reason::holds_in_part);
  CHECK(rule(claim, {own, rival, reported(2.1, "a user", Role::community)}).reason == Reason::contradicted);
  CHECK(name_of(Reason::contradicted) == "contradicted");
  CHECK(name_of(Reason::conditions_ours) == "conditions_ours");
}

TEST_CASE("reports without an interval support with conditions at most") {
  const Ruling ruling = rule(claim_of(2), {reported(2.1, "Lab", Role::independent)});
  CHECK(ruling.verdict == Verdict::supported_with_conditions);
  CHECK(ruling.reason == Reason::reported_only);
}

TEST_CASE("several cells: all hold, some hold, none holds") {
  const Claim claim = claim_of(2);
  CHECK(rule(claim, {measured(2, 2.1), measured(1.97, 2)}).verdict == Verdict::supported_as_stated);
  CHECK(rule(claim, {measured(2, 2.1), measured(0.8, 0.9)}).verdict == Verdict::supported_with_conditions);
  CHECK(rule(claim, {measured(1.2, 1.3), measured(1.4, 1.5)}).verdict == Verdict::direction_supported_size_refuted);
  CHECK(rule(claim, {measured(1.2, 1.3), measured(0.8, 0.9)}).verdict == Verdict::refuted);
  CHECK(rule(claim, {measured(0.9, 2.0), measured(0.8, 0.9)}).verdict == Verdict::inconclusive);
}

TEST_CASE("\"up to\" speaks of one cell, whatever it measured") {
  Claim claim = claim_of(1.6);
  claim.is_up_to = true;
  CHECK(rule(claim, {measured(1.6, 1.7)}).reason == Reason::best_cell);
  CHECK(rule(claim, {measured(1.6, 1.7)}).verdict == Verdict::supported_with_conditions);
}

TEST_CASE("of a range the lower end is what has to be reached") {
  Claim claim = claim_of(1);
  claim.ratio = Ratio{1.3, 1.4};
  CHECK(rule(claim, {measured(1.28, 1.31)}).verdict == Verdict::supported_as_stated);  // 1.3 · 0.98 = 1.274
  CHECK(rule(claim, {measured(1.2, 1.27)}).verdict == Verdict::direction_supported_size_refuted);
}

}  // namespace scoville::claim
