#include "evaluate/record.hpp"

#include <doctest/doctest.h>

#include "evaluate/made_world.hpp"

namespace scoville::evaluate {

TEST_CASE("a decision expires on a day of the calendar") {
  CHECK(day_after("2026-11-30", 90) == "2027-02-28");  // 31 + 31 + 28
  CHECK(day_after("2024-02-28", 1) == "2024-02-29");
  CHECK(day_after("2026-12-31", 1) == "2027-01-01");
}

TEST_CASE("the hash of the inputs changes with the plan, with a run and with the method") {
  Findings findings;
  const MadeSide side{{}, around(1000), {}, {}};
  findings.serving = {made_serving("chat", side, side)};
  const std::string hash = hash_of_inputs("plan", findings, 3);
  CHECK(hash.size() == 64);
  CHECK(hash == hash_of_inputs("plan", findings, 3));
  CHECK(hash != hash_of_inputs("plan ", findings, 3));
  CHECK(hash != hash_of_inputs("plan", findings, 4));
  findings.serving[0].other->runs[7].id = "another";
  CHECK(hash != hash_of_inputs("plan", findings, 3));
}

TEST_CASE("the ratio of costs takes the worst corners of both throughputs; two list prices are exact") {
  CostPart cost;
  cost.state = CostPart::State::done;
  cost.systems = {{"base", 2.0, 1.9, 2.1, 100.0, false}, {"candidate", 1.0, 0.95, 1.05, 50.0, false}};
  const matrix::Estimate ratio = cost_ratio(cost, "base", "candidate");
  CHECK(*ratio.value == doctest::Approx(0.5));
  CHECK(*ratio.low == doctest::Approx(0.95 / 2.1));
  CHECK(*ratio.high == doctest::Approx(1.05 / 1.9));
  cost.systems[0] = {"base", 2.0, {}, {}, 100.0, true};
  cost.systems[1] = {"candidate", 1.0, {}, {}, 50.0, true};
  CHECK(cost_ratio(cost, "base", "candidate").is_exact);
  cost.systems.pop_back();
  CHECK_FALSE(cost_ratio(cost, "base", "candidate").has_data());
  CHECK_FALSE(cost_ratio(cost, "base", "candidate").note.empty());
}

TEST_CASE("the mix at which the faster system changes") {
  Plan plan;
  plan.systems.resize(2);
  plan.systems[0].name = "base";
  plan.workloads.resize(2);
  plan.workloads[0].name = "short";
  plan.workloads[1].name = "long";
  // Seconds a request: short 0.10 against 0.05, long 0.20 against 0.25: level at a share s of long where
  // 0.10 + 0.10 s = 0.05 + 0.20 s, that is s = 1/2.
  const auto serving = [](const char* name, double base, double other) {
    Serving out = made_serving(name, {{}, around(1000), {}, {}}, {{}, around(1000), {}, {}});
    for (decide::ArmRun& each : out.base->runs) each.statistics.requests_per_s = base;
    for (decide::ArmRun& each : out.other->runs) each.statistics.requests_per_s = other;
    return out;
  };
  Findings findings;
  findings.serving = {serving("short", 10, 20), serving("long", 5, 4)};
  const auto flips = mix_flips(plan, findings, "candidate");
  REQUIRE(flips.size() == 2);
  CHECK(flips[1].english == "base is the faster one from 50 % of long in all requests on, candidate below");
  findings.serving[1] = serving("long", 5, 6);
  CHECK(mix_flips(plan, findings, "candidate").empty());
}

TEST_CASE("what blocks comes first among the risks, and there are three at most") {
  Plan plan;
  matrix::Matrix matrix;
  const auto add = [&](const char* id, bool is_required, matrix::Verdict verdict) {
    matrix::Row row;
    row.id = id;
    row.title = {id, id};
    row.is_required = is_required;
    row.verdict = verdict;
    matrix.rows.push_back(row);
  };
  add("stability", false, matrix::Verdict::untested);
  add("energy", true, matrix::Verdict::untested);
  add("latency", true, matrix::Verdict::inconclusive);
  add("correctness", true, matrix::Verdict::fail);
  const auto risks = risks_of(plan, {}, matrix, {});
  REQUIRE(risks.size() == 3);
  CHECK(risks[0].english.starts_with("correctness"));
  CHECK(risks[1].english.starts_with("latency"));
  CHECK(risks[2].english.starts_with("energy"));
}

TEST_CASE("the best of several candidates is the one with the best answer") {
  Record record;
  CHECK_FALSE(record.best());
  record.candidates.resize(3);
  record.candidates[0].matrix.overall = matrix::Overall::reject;
  record.candidates[1].matrix.overall = matrix::Overall::pilot;
  record.candidates[2].matrix.overall = matrix::Overall::hold;
  CHECK(record.best() == &record.candidates[1]);
}

}  // namespace scoville::evaluate
