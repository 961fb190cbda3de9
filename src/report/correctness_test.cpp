#include "report/correctness.hpp"

#include <doctest/doctest.h>

#include "correctness/made_answer.hpp"
#include "report/golden_file.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using namespace correctness;

/// Four prompts and four tasks at two servers, one of which failed once.
Check made_check() {
  Check check;
  check.id = "20261130T101530Z-9f3c2a71";
  check.asking = {"openai", 0, 128, 5, 1};
  check.arms.resize(2);
  check.arms[0].url = "http://bf16.example:8000/v1/chat/completions";
  check.arms[1].url = "http://fp8.example:8000/v1/chat/completions";
  for (Arm& each : check.arms) {
    each.model = "some-org/Some-Model-7B";
    each.system.add("engine.name", "vllm", "test");
    each.system.add("model.quantisation", &each == &check.arms[0] ? "none" : "fp8", "test");
    each.asked = 8;
  }
  check.arms[1].failed = 1;
  const auto told = [](const std::string& text, double logprob) {
    run::Answer answer = answer_of({"a", text});
    for (run::AnswerToken& each : answer.tokens) {
      each.logprob = logprob;
      each.top = {{each.text, logprob}};
    }
    return answer;
  };
  const std::vector<run::Answer> base(4, told("b", -0.5));
  const std::vector<run::Answer> other{told("b", -0.25), told("c", -0.25), told("b", -0.5), no_answer()};
  check.prompts_name = "built-in 1";
  check.prompts_hash = "0123456789abcdef";
  check.agreement = agreement_of(base, other, FailedCandidate::differs);
  check.self_agreement = agreement_of(base, base, FailedCandidate::not_measured);
  check.logprobs = logprob_distance(base, other, *check.agreement);
  check.tasks_name = "tasks.jsonl";
  check.tasks_sha256 = "ab";
  check.task_ids = {"1", "2", "3", "4"};
  check.arms[0].score.emplace();
  check.arms[0].score->outcomes = {Outcome::right, Outcome::right, Outcome::right, Outcome::wrong};
  check.arms[0].score->right = 3;
  check.arms[0].score->share = 0.75;
  check.arms[0].score->interval = stats::Interval{0.1941, 0.9937};
  check.arms[1].score = check.arms[0].score;
  check.arms[1].score->outcomes[0] = Outcome::wrong;
  check.arms[1].score->right = 2;
  check.arms[1].score->share = 0.5;
  check.scores = compare_scores(*check.arms[0].score, *check.arms[1].score);
  check.accuracy_target = 0.99;
  check.agreement_target = 0.9;
  check.gate = join(gate_of_scores(*check.scores, 4, 0.99), gate_of_agreement(*check.agreement, 0.9), true);
  check.warnings = {dataset::make_warning("requests_failed", text::Msg::warn_arm_failed, check.arms[1].url, 1, 8,
                                          "http_status 500: out of memory")};
  return check;
}

bool is_narrow(const std::string& table) {
  for (std::size_t at = 0; at < table.size();) {
    const std::size_t end = table.find('\n', at);
    if (text::display_width(std::string_view(table).substr(at, end - at)) > 80) return false;
    at = end + 1;
  }
  return true;
}

}  // namespace

TEST_CASE("golden: the table of a check in both languages, no wider than 80 columns") {
  for (const auto& [language, name] : {std::pair(text::Language::english, "correctness.en.txt"),
                                       std::pair(text::Language::chinese, "correctness.zh.txt")}) {
    const Speaking speaking(language);
    const std::string table = correctness_table(made_check());
    CHECK(is_narrow(table));
    check_golden(name, table);
  }
}

TEST_CASE("what is printed as JSON is what a later comparison reads") {
  const Check check = made_check();
  const json::object body = correctness_json(check);
  const auto gate = accuracy_gate_from(body);
  REQUIRE(gate.ok());
  CHECK(gate->id == check.id);
  CHECK(gate->verdict == GateVerdict::cannot_tell);
  CHECK(gate->target == 0.99);
  CHECK(gate->covers(accuracy_facts(check.arms[1].system), accuracy_facts(check.arms[0].system)).has_value());
  CHECK(body.at("subject").as_string() == accuracy_subject(check.arms[0].system, check.arms[1].system));
  CHECK(body.at("tasks").at("comparison").at("mcnemar").at("b").to_number<int>() == 1);
  CHECK(body.at("agreement").at("identical").at("n").to_number<int>() == 2);
  CHECK(body.at("agreement").at("pairs").at(3).at("outcome").as_string() == "candidate_failed");
}

TEST_CASE("one arm has a score, no comparison and no gate") {
  Check check = made_check();
  check.arms.resize(1);
  check.agreement.reset();
  check.logprobs.reset();
  check.scores.reset();
  check.gate = join({}, {}, false);
  const json::object body = correctness_json(check);
  CHECK(body.at("agreement").is_null());
  CHECK(body.at("subject").is_null());
  CHECK(body.at("tasks").at("comparison").is_null());
  CHECK(body.at("gate").at("verdict").as_string() == "not_measured");
  CHECK(is_narrow(correctness_table(check)));
}

}  // namespace scoville::report
