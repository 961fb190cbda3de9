#include "claim/evidence.hpp"

#include <doctest/doctest.h>

namespace scoville::claim {
namespace {

Claim of_party(Role role = Role::vendor) {
  Claim out;
  out.party = "X Inc";
  out.role = role;
  out.url = "https://x.example";
  return out;
}

Claim with_conditions(Role role = Role::vendor) {
  Claim out = of_party(role);
  for (const char* key : {"workload.model", "workload.isl", "workload.osl", "numerics.weights", "subject.count",
                          "metric.name", "metric.unit"})
    out.said[key] = {"1", "1"};
  return out;
}

Measured ours() {
  Measured out;
  out.ratio = 2;
  out.lo = 1.9;
  out.hi = 2.1;
  out.is_matched = out.is_verified = true;
  out.aa_healthy = true;
  return out;
}

Level level(const Claim& claim, const std::vector<Measured>& measured = {}) {
  return evidence_for(claim, measured).level;
}

}  // namespace

TEST_CASE("the ladder from a headline to stated conditions to public artefacts") {
  CHECK(level(Claim{}) == Level::L0);
  Claim anonymous = of_party();
  anonymous.role = Role::anonymous;
  CHECK(level(anonymous) == Level::L0);
  CHECK(level(of_party()) == Level::L1);
  CHECK(level(with_conditions()) == Level::L2);
  Claim open = with_conditions();
  open.said["artefacts.engine_docs"] = {"docs", "docs"};
  CHECK(level(open) == Level::L3);
}

TEST_CASE("what the next level lacks is told by key") {
  Claim claim = with_conditions();
  claim.said.erase(claim.said.find("workload.osl"));
  const Evidence found = evidence_for(claim, {});
  CHECK(found.level == Level::L1);
  CHECK(found.next == Level::L2);
  CHECK(found.lacks == std::vector<std::string>{"workload.osl"});
}

TEST_CASE("scripts without conditions lift nothing") {
  Claim claim = of_party();
  claim.said["artefacts.scripts"] = {"s", "s"};
  CHECK(level(claim) == Level::L1);
}

TEST_CASE("a user's word is a rung of its own, until others can repeat it") {
  CHECK(level(of_party(Role::community)) == Level::community);
  CHECK(level(with_conditions(Role::community)) == Level::community);
  Claim open = with_conditions(Role::community);
  open.said["artefacts.scripts"] = {"s", "s"};
  CHECK(level(open) == Level::L3);
}

TEST_CASE("independent counts with a public method, and for what the claim is about") {
  Measured other;
  other.by = Role::independent;
  CHECK(level(of_party(), {other}) == Level::L1);
  other.method = "https://lab.example/method";
  CHECK(level(of_party(), {other}) == Level::L1);  // of something else, as far as anybody says
  other.is_matched = true;
  CHECK(level(of_party(), {other}) == Level::L4);
  other.by = Role::community;
  CHECK(level(of_party(), {other}) == Level::L1);
}

TEST_CASE("reproduced by us takes an interval, a verified gate and sound A/A tests, each of them") {
  CHECK(level(of_party(), {ours()}) == Level::L5);
  Measured each = ours();
  each.aa_healthy = std::nullopt;
  CHECK(level(of_party(), {each}) == Level::L1);
  each = ours();
  each.is_verified = false;
  CHECK(level(of_party(), {each}) == Level::L1);
  each = ours();
  each.lo = each.hi = std::nullopt;
  CHECK(level(of_party(), {each}) == Level::L1);
}

TEST_CASE("thirty days of production with cost, failures and drift are the top, upon our own measurement") {
  Claim claim = of_party();
  for (const char* key : {"production.cost", "production.failures", "production.drift"}) claim.said[key] = {"1", "1"};
  claim.said["production.days"] = {"29", "29"};
  CHECK(level(claim, {ours()}) == Level::L5);
  CHECK(evidence_for(claim, {ours()}).lacks == std::vector<std::string>{"production.days"});
  claim.said["production.days"] = {"30", "30"};
  CHECK(level(claim, {ours()}) == Level::L6);
  CHECK(level(claim) == Level::L1);
}

}  // namespace scoville::claim
