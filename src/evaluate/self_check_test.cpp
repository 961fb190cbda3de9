#include "evaluate/self_check.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "evaluate/judge.hpp"
#include "evaluate/made_world.hpp"

namespace scoville::evaluate {
namespace {

bool holds(const std::vector<SelfCheck>& checks, const std::string& code) {
  const auto found =
      std::find_if(checks.begin(), checks.end(), [&](const SelfCheck& each) { return each.code == code; });
  REQUIRE(found != checks.end());
  return found->holds;
}

Plan made_plan() {
  Plan plan;
  plan.form = matrix::built_in_templates().front();
  plan.systems.resize(2);
  plan.systems[0].name = "base";
  plan.systems[1].name = "candidate";
  plan.models = {{"own", true}, {"public", false}};
  return plan;
}

Workload made_workload(const char* name, const char* model) {
  Workload out;
  out.name = name;
  out.model = model;
  out.is_pilot = true;
  out.slos = {{plan::SloMetric::ttft, 0.95, std::chrono::milliseconds(500), "ttft:p95:500ms"}};
  return out;
}

std::vector<SelfCheck> checked(const Plan& plan, const Findings& findings) {
  return check_oneself(plan, findings, matrix::decide(inputs_for(plan, findings, plan.systems[1], {})));
}

}  // namespace

TEST_CASE("with nothing measured, a decision would rest on headlines") {
  const auto checks = checked(made_plan(), {});
  for (const char* code : {"headline", "one_card", "peak_figures", "no_trial", "reliability", "two_models", "pilots",
                           "correctness", "noise_floor", "instrument"}) {
    CAPTURE(code);
    CHECK_FALSE(holds(checks, code));
  }
}

TEST_CASE("an own and a public model in two pilot scenarios answer most of the questions") {
  Plan plan = made_plan();
  plan.workloads = {made_workload("chat", "own"), made_workload("rag", "public")};
  Findings findings;
  const MadeSide side{around(10), around(1000), around(300), around(40)};
  findings.serving = {made_serving("chat", side, side), made_serving("rag", side, side)};
  CHECK_FALSE(holds(checked(plan, findings), "two_models"));  // two labels on one served model
  findings.serving[1].base->setup.shape.model = "another";
  const auto checks = checked(plan, findings);
  for (const char* code : {"headline", "peak_figures", "no_trial", "two_models", "pilots", "instrument"}) {
    CAPTURE(code);
    CHECK(holds(checks, code));
  }
  CHECK_FALSE(holds(checks, "one_card"));
  CHECK_FALSE(holds(checks, "reliability"));
  findings.serving[0].other->runs[0].statistics.instrument = analyse::Verdict::suspect;
  CHECK_FALSE(holds(checked(plan, findings), "instrument"));
  findings.serving[0].comparison->gate.result = decide::GateResult::refuse;  // it is in doubt all the same
  CHECK_FALSE(holds(checked(plan, findings), "instrument"));
  findings.serving[0].comparison->gate.result = decide::GateResult::ok;
  plan.workloads[1].model = "own";
  CHECK_FALSE(holds(checked(plan, findings), "two_models"));
}

}  // namespace scoville::evaluate
