#include "claim/claim.hpp"

#include <doctest/doctest.h>

#include "text/catalogue.hpp"

namespace scoville::claim {
namespace {

Result<Claim> read(const std::string& yaml) {
  const Result<config::Node> root = config::Node::parse(yaml, "c.yaml");
  if (!root) return root.error();
  Claim out = read_claim(*root);
  return root->finish(std::move(out));
}

std::string fault(const std::string& yaml) {
  const Result<Claim> out = read(yaml);
  return out ? "" : out.error().message;
}

}  // namespace

TEST_CASE("a claim keeps what was said, of both sides or of each, and null as not said") {
  const Result<Claim> claim = read(R"(
text: X beats Y
who: {party: X Inc, role: community}
date: 2026-06-24
subject: {device: X, count: 8, available: false}
comparator: {stack: a cloud, headlines: [Z]}
metric: {name: throughput, ratio: {low: 1.3, high: 1.4}, up_to: true, kind: {subject: peak, comparator: measured}}
workload: {model: M, isl: 1024, osl: null}
numerics: {weights: {subject: fp4, comparator: fp8}, kv: {subject: fp8}}
)");
  REQUIRE(claim.ok());
  CHECK(claim->role == Role::community);
  CHECK(claim->ratio->low == 1.3);
  CHECK(claim->ratio->high == 1.4);
  CHECK(claim->is_up_to);
  CHECK(claim->is_available == false);
  CHECK_FALSE(claim->has_rival.has_value());
  CHECK(claim->comparator() == "a cloud");
  CHECK(claim->headlines == std::vector<std::string>{"Z"});
  CHECK(claim->at("numerics.weights").shown() == "fp4 / fp8");
  CHECK(claim->at("numerics.weights").differs());
  CHECK(claim->at("numerics.kv").shown() == "fp8 / ?");
  CHECK_FALSE(claim->says("numerics.kv"));
  CHECK_FALSE(claim->says("workload.osl"));
  CHECK(claim->at("workload.isl").shown() == "1024");
  CHECK_FALSE(claim->is_absolute());
}

TEST_CASE("case alone is no difference") {
  CHECK_FALSE(Said{"FP8", "fp8"}.differs());
  CHECK(Said{"FP8", "fp8"}.shown() == "FP8");
}

TEST_CASE("a bare value without a comparator is absolute; a result may give a value, and lower may be better") {
  const Result<Claim> claim = read(R"(
text: 20 ms to the first token
metric: {name: ttft, value: 20, unit: ms, better: lower}
results: [{value: 25, by: independent, source: lab}]
)");
  REQUIRE(claim.ok());
  CHECK(claim->is_absolute());
  CHECK(claim->results.front().ratio == doctest::Approx(0.8));  // 20 / 25
}

TEST_CASE("a result's interval says whether it is slower, or within the margin") {
  const Result<Claim> claim = read(R"(
text: t
results:
- {ratio: 1.0, low: 0.99, high: 1.01, by: us, source: a}
- {ratio: 0.9, low: 0.85, high: 0.95, margin: 0.05, by: us, source: b, aa_healthy: true}
)");
  REQUIRE(claim.ok());
  CHECK(claim->results[0].equivalent);
  CHECK_FALSE(claim->results[0].slower);
  CHECK(claim->results[1].slower);
  CHECK(claim->results[1].margin == 0.05);
  CHECK(claim->results[1].aa_healthy == true);
}

TEST_CASE("each fault is one line with file, line, field and what was expected") {
  text::set_language(text::Language::english);
  CHECK(fault("who: {party: a}\n").find("c.yaml:1: text: missing") == 0);
  CHECK(
      fault("text: t\nmetric:\n  kind: guessed\n").find("c.yaml:3: metric.kind: found \"guessed\"; expected one of") ==
      0);
  CHECK(fault("text: t\nnumerics: {weight: fp8}\n").find("did you mean weights?") != std::string::npos);
  CHECK(fault("text: t\nmetric: {ratio: 0}\n").find("metric.ratio") != std::string::npos);
  CHECK(fault("text: t\nmetric: {ratio: {low: 2, high: 1}}\n").find("low must not be above high") != std::string::npos);
  CHECK(fault("text: t\nmetric: {value: fast}\n").find("(") == std::string::npos);  // one fault, not two
  CHECK(fault("text: t\nwho: {role: friend}\n").find("who.role") != std::string::npos);
  CHECK(fault("text: t\nresults: [{by: us, source: s}]\n").find("results[0].ratio") != std::string::npos);
  CHECK(fault("text: t\nresults: [{ratio: 1, low: 2, by: us, source: s}]\n").find("low ≤ ratio ≤ high") !=
        std::string::npos);
  CHECK(fault("text: t\nworkload: {isl: [1, 2]}\n").find("workload.isl") != std::string::npos);
  CHECK(fault("text: t\nsubject: {count: 2.5}\n").find("subject.count") != std::string::npos);
  CHECK(fault("text: t\nprice: {date: 2026-13-01}\n").find("price.date") != std::string::npos);
}

}  // namespace scoville::claim
