#include "matrix/read.hpp"

#include <doctest/doctest.h>

namespace scoville::matrix {
namespace {

Result<Study> read(const std::string& yaml) {
  const Result<config::Node> root = config::Node::parse(yaml, "m.yaml");
  REQUIRE(root.ok());
  return read_study(*root, "");
}

bool says(const std::string& yaml, const std::string& part) {
  const Result<Study> study = read(yaml);
  REQUIRE_FALSE(study.ok());
  CAPTURE(study.error().message);
  return study.error().message.find(part) != std::string::npos;
}

const std::string kHead = "candidate: B\nbaseline: A\nrequired: [serving_throughput]\n";

}  // namespace

TEST_CASE("a matrix filled in by hand is read and decided") {
  const auto study =
      read(kHead +
           "targets:\n  goodput_ratio: {least: 0.9, source: owner, date: 2026-08-01}\n"
           "measured:\n  serving_throughput:\n"
           "    - {measure: goodput_ratio, workload: chat, value: 0.98, low: 0.95, high: 1.0, n: 6, source: set-1}\n"
           "pilots:\n  - {name: chat at 5 %, verdict: pass}\n");
  REQUIRE_MESSAGE(study.ok(), study.error().message);
  CHECK(decide(study->inputs).overall == Overall::adopt);
}

TEST_CASE("a bare target is a least or a most, by the measure; none drops a default") {
  const auto study = read(kHead + "targets: {goodput_ratio: 0.9, ttft_p95: 500, score_ratio: none}\n");
  REQUIRE(study.ok());
  CHECK(study->inputs.targets.at("goodput_ratio").least == 0.9);
  CHECK(study->inputs.targets.at("ttft_p95").most == 500);
  CHECK_FALSE(study->inputs.targets.at("score_ratio").is_set());
}

TEST_CASE("a scenario brings its limits as default targets, and its knock-outs untested") {
  const auto study = read(kHead + "scenario: chat\nslo: interactive-8b\ntargets: {ttft_p99: 800}\n");
  REQUIRE(study.ok());
  const auto& targets = study->inputs.targets;
  CHECK(targets.at("tpot_p99").most == 30);
  CHECK(targets.at("tpot_p99").is_default);
  CHECK(targets.at("ttft_p99").most == 800);
  CHECK_FALSE(targets.at("ttft_p99").is_default);
  REQUIRE(study->inputs.knock_outs.size() == 2);
  CHECK(study->inputs.knock_outs[0].verdict == Verdict::untested);
  CHECK(decide(study->inputs).overall == Overall::hold);
}

TEST_CASE("a scenario's knock-out is stated without wording it again") {
  const auto study = read(kHead +
                          "scenario: code\nknock_outs:\n"
                          "  request_within_limit: {verdict: pass, source: set-1, date: 2026-08-01}\n");
  REQUIRE_MESSAGE(study.ok(), study.error().message);
  REQUIRE(study->inputs.knock_outs.size() == 1);
  CHECK(study->inputs.knock_outs[0].verdict == Verdict::pass);
}

TEST_CASE("words that are not known are told with the nearest that is") {
  CHECK(says("candidate: B\nrequired: [serving_throughputs]\n", "serving_throughput?"));
  CHECK(says(kHead + "targets: {godput_ratio: 1}\n", "goodput_ratio?"));
  CHECK(says(kHead + "measured: {energy: [{measure: goodput_ratio}]}\n", "tokens_per_joule_ratio"));
  CHECK(says(kHead + "scenario: chatt\n", "chat"));
  CHECK(says(kHead + "scenario: chat\nslo: interactive-8c\n", "interactive-8b?"));
  CHECK(says(kHead + "template: defaults\n", "m.yaml:4: template:"));
  CHECK(says(kHead + "pilot: []\n", "pilots?"));
}

TEST_CASE("values that cannot be are faults of their line") {
  CHECK(says(kHead + "measured:\n  energy: [{measure: tokens_per_joule_ratio, value: 1, low: 2}]\n", "m.yaml:5:"));
  CHECK(says(kHead + "measured:\n  latency_tail: [{measure: ttft_p95, value: 1, unit: s}]\n", "ms"));
  CHECK(says(kHead + "targets: {drift: {least: 2, most: 1}}\n", "least"));
  CHECK(says(kHead + "slo: chat\n", "scenario"));
}

TEST_CASE("a ranking by utilities, values, weights of one's own, or judgements") {
  const std::string arms =
      "ranking:\n  arms:\n"
      "    A: {utilities: {throughput: 0.8, latency: 0.7, cost: 0.5}}\n"
      "    B: {utilities: {throughput: 0.7, latency: 0.7}, values: {cost: {value: 0.9, low: 0.8, high: 1.0}}}\n";
  CHECK(says(kHead + "scenario: chat\n" + arms, "energy"));  // weighs 5 % there
  const auto study = read(kHead + "scenario: chat\n" + arms + "  weights: {throughput: 1, latency: 1, cost: 2}\n");
  REQUIRE_MESSAGE(study.ok(), study.error().message);
  CHECK(study->weights == std::vector<double>{1, 1, 2, 0, 0, 0, 0});
  CHECK(study->arms.size() == 2);
  const auto judged =
      read(kHead + "scenario: chat\n" + arms +
           "  pairs: {of: [throughput, latency, cost], judgements: [[1, 3, 5], [0.33333, 1, 2], [0.2, 0.5, 1]]}\n");
  REQUIRE_MESSAGE(judged.ok(), judged.error().message);
  CHECK(judged->weights->at(0) == doctest::Approx(0.648329).epsilon(1e-4));
  CHECK(says(kHead + arms, "scenario"));
  CHECK(says(kHead + "scenario: chat\n" + arms + "  pairs: {of: [throughput, cost], judgements: [[1, 3], [3, 1]]}\n",
             "reciprocal"));
  CHECK(says(kHead + "scenario: chat\n" + arms +
                 "  pairs: {of: [throughput, latency, cost], judgements: [[1, 5, 0.2], [0.2, 1, 5], [5, 0.2, 1]]}\n",
             "contradict"));
}

TEST_CASE("a mix is normalised; every candidate has a value for every workload") {
  const auto study = read(kHead +
                          "mix: {unit: CNY/Mtok, better: lower, shares: {chat: 3, offline: 1}, "
                          "values: {A: {chat: 1, offline: 2}, B: {chat: 2, offline: 1}}}\n");
  REQUIRE_MESSAGE(study.ok(), study.error().message);
  CHECK(study->mix->shares == std::vector<double>{0.75, 0.25});
  CHECK(says(kHead + "mix: {unit: u, better: lower, shares: {chat: 3, offline: 1}, values: {A: {chat: 1}, B: {chat: 2, "
                     "offline: 1}}}\n",
             "mix.values.A.offline"));
  CHECK(says(kHead + "mix: {unit: u, better: lower, shares: {chat: 3}, values: {}}\n", "two workloads"));
}

}  // namespace scoville::matrix
