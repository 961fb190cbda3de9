#include "matrix/knock_out.hpp"

#include <doctest/doctest.h>

namespace scoville::matrix {
namespace {

Result<std::vector<KnockOut>> read(const std::string& yaml) {
  const Result<config::Node> root = config::Node::parse(yaml, "k.yaml");
  REQUIRE(root.ok());
  return root->finish(read_knock_outs(*root));
}

KnockOut one(const std::string& yaml) {
  const auto found = read(yaml);
  REQUIRE_MESSAGE(found.ok(), found.error().message);
  REQUIRE(found->size() == 1);
  return found->front();
}

}  // namespace

TEST_CASE("delivery is a range held against what is allowed") {
  const auto verdict = [](const std::string& value) {
    return one("delivery_weeks: {most: 16, source: quote 4711, date: 2026-08-01, " + value + "}").verdict;
  };
  CHECK(verdict("value: 12") == Verdict::pass);
  CHECK(verdict("value: 12, low: 8, high: 16") == Verdict::pass);
  CHECK(verdict("low: 12, high: 20") == Verdict::inconclusive);
  CHECK(verdict("value: 20, low: 18, high: 26") == Verdict::fail);
}

TEST_CASE("words are accepted or not: second source, licence") {
  CHECK(one("second_source: {accepted: [yes], value: no, source: purchasing, date: 2026-08-01}").verdict ==
        Verdict::fail);
  CHECK(one("licence_status: {accepted: [granted, not_needed], value: granted, source: legal, date: 2026-08-01}")
            .verdict == Verdict::pass);
}

TEST_CASE("a required one without a value is untested") {
  const KnockOut found = one("warranty_years: {least: 3}");
  CHECK(found.is_required);
  CHECK(found.verdict == Verdict::untested);
  CHECK_FALSE(found.requirement.english.empty());
}

TEST_CASE("a value needs who says so, and when") {
  CHECK(read("warranty_years: {least: 3, value: 3}").error().message.find("warranty_years.source") !=
        std::string::npos);
  CHECK(read("warranty_years: {least: 3, value: 3, source: quote}").error().message.find("warranty_years.date") !=
        std::string::npos);
}

TEST_CASE("one of our own wording is held the same way, or brings its verdict") {
  CHECK(one("rack_power: {requirement: kW a rack, most: 40, value: 36, source: site, date: 2026-08-01}").verdict ==
        Verdict::pass);
  CHECK(one("accuracy_gate: {requirement: the gate, verdict: fail, source: corr-1, date: 2026-08-01}").verdict ==
        Verdict::fail);
  CHECK_FALSE(read("rack_power: {most: 40}").ok());                         // what is it?
  CHECK_FALSE(read("x: {requirement: r}").ok());                            // held against what?
  CHECK_FALSE(read("x: {requirement: r, most: 1, accepted: [yes]}").ok());  // a number or a word?
  CHECK_FALSE(read("delivery_weeks: {least: 3}").ok());                     // at most how many?
}

}  // namespace scoville::matrix
