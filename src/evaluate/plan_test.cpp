#include "evaluate/plan.hpp"

#include <doctest/doctest.h>

namespace scoville::evaluate {
namespace {

constexpr const char* kPlan = R"(
evaluation: h20-or-910b
who: vendor
pairs: 6
systems:
- {name: h20, endpoint: http://a:8000, model: m, devices: 8}
- name: 910b
  launch_preset: vllm-ascend
  launch_set: {tp: 8}
  model: m
  knock_outs:
    delivery_weeks: {most: 12, value: 8, source: quotation, date: 2026-11-01}
models:
- {name: own, kind: own}
workloads:
- {name: chat, model: own, scenario: chat, pilot: true, rate: 4, requests: 200, input: 512, slo: [ttft:p95:500, tpot:p99:50ms]}
stages: [serving, correctness]
matrix: {required: [serving_throughput], targets: {goodput_ratio: 0.9}}
results:
- {system: 910b, row: energy, value: 1.2, low: 1.1, high: 1.3, n: 5, unit: "1", source: wall meter, date: 2026-11-02}
claims: [claim.yaml]
dissent:
- {who: operations, says: no spare parts nearby}
)";

Plan read(const std::string& yaml, std::string& fault) {
  const Result<config::Node> root = config::Node::parse(yaml, "plan.yaml");
  REQUIRE(root.ok());
  Plan plan = read_plan(*root);
  const Status status = root->finish();
  fault = status.ok() ? "" : status.error().message;
  return plan;
}

std::string fault_of(const std::string& yaml) {
  std::string fault;
  read(yaml, fault);
  return fault;
}

std::string replaced(const std::string& from, const std::string& to) {
  std::string out = kPlan;
  const std::size_t at = out.find(from);
  REQUIRE(at != std::string::npos);
  return out.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("a plan says systems, workloads, stages, rows and what others found") {
  std::string fault;
  const Plan plan = read(kPlan, fault);
  CHECK(fault == "");
  CHECK(plan.name == "h20-or-910b");
  CHECK(plan.who == Who::vendor);
  CHECK(plan.pairs == 6);
  REQUIRE(plan.systems.size() == 2);
  CHECK(plan.systems[0].devices == 8);
  CHECK(plan.systems[1].launch.preset == "vllm-ascend");
  CHECK(plan.systems[1].knock_outs.size() == 1);
  CHECK(plan.systems[1].knock_outs[0].verdict == matrix::Verdict::pass);
  REQUIRE(plan.workloads.size() == 1);
  const Workload& chat = plan.workloads[0];
  CHECK(chat.is_pilot);
  REQUIRE(chat.slos.size() == 2);
  CHECK(chat.slos[0].limit == std::chrono::milliseconds(500));
  // Whatever their order in the file: correctness comes before serving.
  CHECK(plan.stages == std::vector<Stage>{Stage::correctness, Stage::serving});
  CHECK(plan.required == std::vector<std::string>{"serving_throughput"});
  CHECK(*plan.targets.at("goodput_ratio").least == 0.9);
  REQUIRE(plan.results.size() == 1);
  CHECK(plan.results[0].n == 5);
  CHECK(plan.dissents[0].words == "no spare parts nearby");
}

TEST_CASE("names that point at nothing are faults, with their line") {
  CHECK(fault_of(replaced("model: own, scenario", "model: mine, scenario"))
            .starts_with("plan.yaml:16: workloads[0].model: no model of this name under models: mine"));
  CHECK(fault_of(replaced("system: 910b", "system: 910c")).find("no system of this name") != std::string::npos);
  CHECK(fault_of(replaced("row: energy", "row: energie")).find("results[0].row") != std::string::npos);
  CHECK(fault_of(replaced("required: [serving_throughput]", "required: [throughput]")).find("matrix.required") !=
        std::string::npos);
}

TEST_CASE("a system says where its figures come from; a workload says its load") {
  CHECK(fault_of(replaced("endpoint: http://a:8000, ", "")).find("systems[0]") != std::string::npos);
  CHECK(fault_of(replaced("rate: 4, ", "")).find("what load?") != std::string::npos);
  CHECK(fault_of(replaced("name: 910b\n", "name: h20\n")).find("that no other one has") != std::string::npos);
  CHECK(fault_of(replaced("endpoint:", "endpont:")).find("did you mean endpoint?") != std::string::npos);
}

TEST_CASE("a limit that no row of the matrix knows is a fault") {
  CHECK(fault_of(replaced("ttft:p95:500", "ttft:p42:500")).find("workloads[0].slo") != std::string::npos);
  CHECK(fault_of(replaced("ttft:p95:500", "ttfa:p95:500")).find("workloads[0].slo") != std::string::npos);
}

TEST_CASE("limits may be taken from the scenario, by the name of its variant") {
  std::string fault;
  const Plan plan = read(replaced("slo: [ttft:p95:500, tpot:p99:50ms]", "slo_of: conversational-8b"), fault);
  CHECK(fault == "");
  REQUIRE(plan.workloads[0].slos.size() == 2);  // MLPerf: TTFT P99 2000 ms, TPOT P99 100 ms
  CHECK(plan.workloads[0].slos[0].share == 0.99);
  CHECK(fault_of(replaced("slo: [ttft:p95:500, tpot:p99:50ms]", "slo_of: conversational")).find("slo_of") !=
        std::string::npos);
  // The variant of RAG limits the gap between tokens, which is no limit of a request: said, not dropped.
  const std::string rag =
      replaced("scenario: chat, pilot: true, rate: 4, requests: 200, input: 512, slo: [ttft:p95:500, tpot:p99:50ms]",
               "scenario: rag, pilot: true, rate: 4, requests: 200, input: 512, slo_of: rag");
  CHECK(fault_of(rag).find("icl_p99") != std::string::npos);
}

}  // namespace scoville::evaluate
