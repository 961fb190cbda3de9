#include "evaluate/judge.hpp"

#include <doctest/doctest.h>

#include "evaluate/made_world.hpp"

namespace scoville::evaluate {
namespace {

Plan made_plan() {
  Plan plan;
  plan.form = matrix::built_in_templates().front();
  plan.systems.resize(2);
  plan.systems[0].name = "base";
  plan.systems[1].name = "candidate";
  Workload chat;
  chat.name = "chat";
  chat.is_pilot = true;
  chat.slos = {{plan::SloMetric::ttft, 0.95, std::chrono::milliseconds(500), "ttft:p95:500ms"}};
  plan.workloads = {chat};
  plan.required = {"serving_throughput", "latency_tail"};
  plan.targets["goodput_ratio"].least = 0.9;
  plan.targets["goodput_ratio"].unit = "1";
  return plan;
}

Serving made_chat(double goodput_ratio, double ttft_ms) {
  return made_serving("chat", {around(10), around(1000), around(400), around(40)},
                      {around(10 * goodput_ratio), around(1000 * goodput_ratio), around(ttft_ms), around(40)});
}

matrix::Matrix decided(const Plan& plan, const Findings& findings) {
  return matrix::decide(inputs_for(plan, findings, plan.systems[1], {}));
}

const matrix::Row& row(const matrix::Matrix& matrix, const std::string& id) {
  for (const matrix::Row& each : matrix.rows) {
    if (each.id == id) return each;
  }
  FAIL("no such row");
  return matrix.rows.front();
}

}  // namespace

TEST_CASE("a faster candidate within its limits passes, and its pilot is met") {
  Findings findings;
  findings.serving = {made_chat(1.5, 300)};
  const matrix::Matrix matrix = decided(made_plan(), findings);
  CHECK(row(matrix, "serving_throughput").verdict == matrix::Verdict::pass);
  CHECK(row(matrix, "latency_tail").verdict == matrix::Verdict::pass);
  REQUIRE(matrix.pilots.size() == 1);
  CHECK(matrix.pilots[0].verdict == matrix::Verdict::pass);
  CHECK(matrix.overall == matrix::Overall::adopt);
}

TEST_CASE("the ratio is the candidate's to the baseline's, above 1 better, with its interval and its pairs") {
  Findings findings;
  findings.serving = {made_chat(1.5, 300)};
  const matrix::Inputs inputs = inputs_for(made_plan(), findings, made_plan().systems[1], {});
  const matrix::Estimate& ratio = inputs.measured.at("serving_throughput").front().estimate;
  CHECK(*ratio.value == doctest::Approx(1.5).epsilon(0.01));
  CHECK(*ratio.low <= *ratio.value);
  CHECK(*ratio.high >= *ratio.value);
  CHECK(ratio.n == 8);
}

TEST_CASE("a candidate that misses a limit fails its pilot, however fast it is") {
  Findings findings;
  findings.serving = {made_chat(1.5, 700)};
  const matrix::Matrix matrix = decided(made_plan(), findings);
  CHECK(matrix.pilots[0].verdict == matrix::Verdict::fail);
  CHECK(matrix.overall == matrix::Overall::reject);
}

TEST_CASE("a candidate that fails too many requests misses its pilot, though the gate compares nothing") {
  Findings findings;
  findings.serving = {made_chat(1.5, 300)};
  Serving& serving = findings.serving[0];
  serving.comparison->gate.result = decide::GateResult::refuse;
  serving.comparison->gate.refused = {"runs.failures"};
  const auto with_attainment = [&](double share) {
    for (decide::ArmRun& each : serving.other->runs) each.statistics.attainment = share;
    return decided(made_plan(), findings).pilots[0].verdict;
  };
  CHECK(with_attainment(0.94) == matrix::Verdict::fail);  // one limit at P95: less than 95 % of all requests
  CHECK(with_attainment(0.96) == matrix::Verdict::untested);
  serving.comparison->gate.refused = {"runs.failures", "runs.instrument"};
  CHECK(with_attainment(0.5) == matrix::Verdict::untested);  // it may have been our own client
  serving.comparison->gate.refused = {"dataset", "runs.failures"};
  CHECK(with_attainment(0.5) == matrix::Verdict::untested);  // another load: nothing is known of this one
}

TEST_CASE("too few requests for the quantile are no verdict on it") {
  Findings findings;
  findings.serving = {made_chat(1.5, 300)};
  for (decide::ArmRun& each : findings.serving[0].other->runs) each.statistics.succeeded = 100;  // a P95 takes 130
  CHECK(row(decided(made_plan(), findings), "latency_tail").verdict == matrix::Verdict::inconclusive);
}

TEST_CASE("what the gate refused is not there, and says why") {
  Findings findings;
  findings.serving = {made_chat(1.5, 300)};
  Serving& serving = findings.serving[0];
  serving.comparison->gate.result = decide::GateResult::refuse;
  serving.why_none = {"not comparable: dataset differs", "不可比较"};
  const matrix::Matrix matrix = decided(made_plan(), findings);
  CHECK(row(matrix, "serving_throughput").verdict == matrix::Verdict::untested);
  CHECK(row(matrix, "serving_throughput").measures.front().estimate.note == "not comparable: dataset differs");
  CHECK(row(matrix, "latency_tail").verdict == matrix::Verdict::untested);
  CHECK(matrix.pilots[0].verdict == matrix::Verdict::untested);
  CHECK(matrix.overall == matrix::Overall::hold);
}

TEST_CASE("flexibility is the worst over workloads; of one workload nothing is known") {
  Plan plan = made_plan();
  Findings findings;
  findings.serving = {made_chat(1.5, 300)};
  CHECK(row(decided(plan, findings), "flexibility").verdict == matrix::Verdict::untested);
  Workload longer = plan.workloads[0];
  longer.name = "long";
  plan.workloads.push_back(longer);
  findings.serving.push_back(made_serving("long", {around(10), around(1000), around(400), around(40)},
                                          {around(6), around(600), around(400), around(40)}));
  const matrix::Inputs inputs = inputs_for(plan, findings, plan.systems[1], {});
  CHECK(*inputs.measured.at("flexibility").front().estimate.value == doctest::Approx(0.6).epsilon(0.01));
}

TEST_CASE("what others found goes into its row, with its source") {
  Plan plan = made_plan();
  plan.required = {"energy"};
  BroughtResult energy;
  energy.system = "candidate";
  energy.row = "energy";
  energy.value = 1.2;
  energy.low = 1.1;
  energy.high = 1.3;
  energy.unit = "1";
  energy.source = "wall meter";
  energy.date = "2026-11-02";
  plan.results = {energy};
  const matrix::Matrix matrix = decided(plan, {});
  CHECK(row(matrix, "energy").verdict == matrix::Verdict::pass);  // the template asks for 1 at least
  CHECK(row(matrix, "energy").measures.front().estimate.source == "wall meter, 2026-11-02");
}

TEST_CASE("answers that are wrong fail correctness: the whole interval lies below the target") {
  Plan plan = made_plan();
  plan.required = {"correctness"};
  plan.correctness.agreement_target = 0.9;
  Findings findings;
  CorrectnessFinding wrong;
  wrong.candidate = "candidate";
  wrong.agreement = CorrectnessFinding::Share{0.1, 0.02, 0.3, 30};
  findings.correctness = {wrong};
  CHECK(decided(plan, findings).overall == matrix::Overall::reject);
  findings.correctness[0].agreement = CorrectnessFinding::Share{1, 0.91, 1, 40};
  CHECK(row(decided(plan, findings), "correctness").verdict == matrix::Verdict::pass);
  // A reference that says something else the second time: 0 of 40 cannot be held against the candidate.
  findings.correctness[0].agreement = CorrectnessFinding::Share{0, 0, 0.09, 40};
  findings.correctness[0].self_agreement = CorrectnessFinding::Share{0, 0, 0.09, 40};
  CHECK(row(decided(plan, findings), "correctness").verdict == matrix::Verdict::untested);
  findings.correctness[0].self_agreement = CorrectnessFinding::Share{0.8, 0.64, 0.91, 40};  // but this one can
  CHECK(row(decided(plan, findings), "correctness").verdict == matrix::Verdict::fail);
  findings.correctness[0].self_agreement.reset();
  findings.correctness[0].agreement = CorrectnessFinding::Share{1, 0.72, 1, 11};
  CHECK(row(decided(plan, findings), "correctness").verdict == matrix::Verdict::inconclusive);
}

}  // namespace scoville::evaluate
