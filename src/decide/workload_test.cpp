#include "decide/workload.hpp"

#include <doctest/doctest.h>

#include "base/file.hpp"
#include "base/json.hpp"
#include "decide/gate.hpp"
#include "decide/made_arm.hpp"

using namespace scoville;
using namespace scoville::decide;

namespace {

/// The arm that one line of MEAS-19 makes: one request, by the server's own usage.
Arm arm_of_line(const std::string& line) {
  const json::value usage = json::parse(line).at("usage");
  Arm arm = arm_of_tpots("", {10});
  analyse::RunStatistics& run = arm.runs[0].statistics;
  run.usage = {{0, usage.at("prompt_tokens").as_int64(), usage.at("completion_tokens").as_int64()}};
  run.mean_prompt_tokens = static_cast<double>(run.usage[0].prompt_tokens);
  run.mean_output_tokens = static_cast<double>(run.usage[0].output_tokens);
  return arm;
}

}  // namespace

TEST_CASE("MEAS-19: one text, two templates: the workloads differ, and nothing is ranked") {
  const std::string cases = std::string(SCOVILLE_CASES_DIR) + "/MEAS-19";
  const std::string lines = read_file(cases + ".jsonl").value();
  const Arm base = arm_of_line(lines.substr(0, lines.find('\n')));
  const Arm candidate = arm_of_line(lines.substr(lines.find('\n') + 1));
  const json::value expected = json::parse(read_file(cases + ".expect.json").value()).at("expect");

  const WorkloadDifference found = workload_difference(base, candidate);
  CHECK(found.prompt == doctest::Approx(expected.at("prompt_rel_diff").as_double()).epsilon(1e-4));
  CHECK(found.output == doctest::Approx(480.0 / 12 - 1));
  const Gate gate = check(base, candidate);
  CHECK(gate.result == GateResult::refuse);
  CHECK(gate.refused == std::vector<std::string>{"prompt_tokens", "output_tokens"});
  CHECK(gate.find("prompt_tokens")->candidate == "+464.7 %");
}

TEST_CASE("prompts are compared request by request, so a class that was cut short is not hidden by the mean") {
  Arm base = arm_of_tpots("a", {10}), candidate = arm_of_tpots("b", {10});
  base.runs[0].statistics.usage = {{0, 100, 1}, {1, 200, 1}, {2, 1000, 1}};
  candidate.runs[0].statistics.usage = {{2, 1030, 1}, {0, 103, 1}, {1, 206, 1}, {9, 7, 1}};
  CHECK(workload_difference(base, candidate).prompt == doctest::Approx(0.03));
  candidate.runs[0].statistics.mean_prompt_tokens = 256;  // and the other way round
  CHECK(workload_difference(base, candidate).prompt == doctest::Approx(-0.5));
}

TEST_CASE("what a server does not count is unknown") {
  Arm base = arm_of_tpots("a", {10, 10}), candidate = arm_of_tpots("b", {10, 10});
  candidate.runs[1].statistics.mean_output_tokens.reset();
  CHECK_FALSE(workload_difference(base, candidate).output);
  candidate.runs[0].statistics.usage.clear();
  candidate.runs[0].statistics.mean_prompt_tokens.reset();
  CHECK_FALSE(workload_difference(base, candidate).prompt);
}
