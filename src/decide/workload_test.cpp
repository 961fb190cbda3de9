#include "decide/workload.hpp"

#include <doctest/doctest.h>

#include "base/json.hpp"
#include "dataset/case_file.hpp"
#include "decide/gate.hpp"
#include "decide/made_arm.hpp"
#include "decide/validity.hpp"

using namespace scoville;
using namespace scoville::decide;

namespace {

/// The arm that one line of MEAS-09 makes: a rate that so many clients reached together.
Arm arm_of_clients(const std::string& line) {
  const json::value row = json::parse(line);
  Arm arm = arm_of_rates("", {row.at("tok_s").to_number<double>()});
  arm.setup.load.threads = row.at("client_processes").to_number<unsigned>();
  arm.setup.load.max_concurrency = row.at("concurrency_total").to_number<std::size_t>();
  return arm;
}

std::pair<std::string, std::string> two_lines(const std::string& lines) {
  const std::size_t end = lines.find('\n');
  return {lines.substr(0, end), lines.substr(end + 1)};
}

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
  const std::string lines = dataset::case_file("MEAS-19.jsonl");
  const auto [first, second] = two_lines(lines);
  const Arm base = arm_of_line(first), candidate = arm_of_line(second);
  const json::object expected = dataset::expected("MEAS-19");

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

TEST_CASE("MEAS-09: twice the clients bring twice the rate: it was the client's") {
  const auto [first, second] = two_lines(dataset::case_file("MEAS-09.jsonl"));
  const Arm one = arm_of_clients(first), two = arm_of_clients(second);
  const json::object expected = dataset::expected("MEAS-09");
  CHECK(client_gain(one, two) == doctest::Approx(expected.at("gain").as_double()));
  CHECK(client_gain(two, one) == client_gain(one, two));
  const Gate gate = check(one, two);
  CHECK((gate.find("runs.client_bound")->state == FieldState::different) == expected.at("client_bound").as_bool());
  CHECK(gate.result == GateResult::refuse);

  Arm same = one;
  same.setup.load.threads = 2;
  CHECK(client_gain(one, same) == doctest::Approx(1));
  CHECK(check(one, same).refused == std::vector<std::string>{"client.threads"});
  same.setup.url = "http://elsewhere/";
  CHECK_FALSE(client_gain(one, same));
}
