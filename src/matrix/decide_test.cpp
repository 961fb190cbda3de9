#include <doctest/doctest.h>

#include "matrix/matrix.hpp"

namespace scoville::matrix {
namespace {

Estimate between(double low, double value, double high, std::size_t n = 6) {
  Estimate out;
  out.low = low;
  out.value = value;
  out.high = high;
  out.n = n;
  return out;
}

Target at_least(double least) {
  Target out;
  out.least = least;
  out.source = "owner";
  return out;
}

/// Correctness and throughput are required, and pass; the pilot is met.
Inputs all_pass() {
  Inputs out;
  out.form = *find_template("default");
  out.candidate = "B";
  out.required = {"correctness", "serving_throughput"};
  out.measured["correctness"] = {{"score_ratio", "gsm8k", between(0.993, 0.998, 1.004, 1319), {}}};
  out.measured["serving_throughput"] = {{"goodput_ratio", "chat", between(0.96, 0.98, 1.01), {}}};
  out.targets["goodput_ratio"] = at_least(0.9);
  out.pilots = {{"chat, 5 %", Verdict::pass, "canary-1", ""}};
  return out;
}

const Row& row(const Matrix& matrix, const std::string& id) {
  for (const Row& each : matrix.rows) {
    if (each.id == id) return each;
  }
  FAIL("no row " << id);
  return matrix.rows.front();
}

}  // namespace

TEST_CASE("adopt: every required row passes and every pilot scenario is met") {
  const Matrix matrix = decide(all_pass());
  CHECK(matrix.overall == Overall::adopt);
  CHECK(matrix.blocking.empty());
  CHECK(matrix.would_change.empty());
  CHECK(matrix.template_id == "default");
  CHECK(matrix.rows.size() == 10);
  CHECK(row(matrix, "correctness").is_required);
  CHECK_FALSE(row(matrix, "energy").is_required);
  CHECK(row(matrix, "energy").verdict == Verdict::untested);  // and not in the way
}

TEST_CASE("pilot: a pilot scenario is untested, or none is named") {
  Inputs inputs = all_pass();
  inputs.pilots.push_back({"rag, 1 %", Verdict::untested, "", ""});
  CHECK(decide(inputs).overall == Overall::pilot);
  CHECK(decide(inputs).blocking == std::vector<std::string>{"rag, 1 %"});
  inputs.pilots.clear();
  const Matrix none = decide(inputs);
  CHECK(none.overall == Overall::pilot);
  REQUIRE(none.would_change.size() == 1);
  CHECK(none.would_change[0].subject == Change::Subject::no_pilot);
}

TEST_CASE("hold: a required row cannot be told, with what would tell") {
  Inputs inputs = all_pass();
  inputs.measured["correctness"][0].estimate = between(0.987, 0.994, 1.001, 1319);
  const Matrix matrix = decide(inputs);
  CHECK(matrix.overall == Overall::hold);
  CHECK(matrix.blocking == std::vector<std::string>{"correctness"});
  REQUIRE(matrix.would_change.size() == 1);
  CHECK(matrix.would_change[0].judgement.needed == 4040);
  CHECK(matrix.would_change[0].workload == "gsm8k");
}

TEST_CASE("reject: a knock-out, a required row or a pilot fails, whatever else passes") {
  Inputs row_fails = all_pass();
  row_fails.measured["serving_throughput"][0].estimate = between(0.7, 0.75, 0.8);
  CHECK(decide(row_fails).overall == Overall::reject);

  Inputs knocked = all_pass();
  KnockOut delivery;
  delivery.id = "delivery_weeks";
  delivery.target.most = 16;
  delivery.number = config::Quantity{30, {}, {}, "quote", "2026-08-01", false, 0};
  knocked.knock_outs = {delivery};
  CHECK(decide(knocked).overall == Overall::reject);
  CHECK(decide(knocked).blocking == std::vector<std::string>{"delivery_weeks"});
  knocked.knock_outs[0].is_required = false;
  CHECK(decide(knocked).overall == Overall::adopt);

  Inputs pilot_fails = all_pass();
  pilot_fails.pilots[0].verdict = Verdict::fail;
  CHECK(decide(pilot_fails).overall == Overall::reject);
}

TEST_CASE("a knock-out without a value holds the decision") {
  Inputs inputs = all_pass();
  KnockOut warranty;
  warranty.id = "warranty_years";
  warranty.target.least = 3;
  inputs.knock_outs = {warranty};
  CHECK(decide(inputs).overall == Overall::hold);
}

TEST_CASE("a row that is not required decides nothing, even where it fails") {
  Inputs inputs = all_pass();
  inputs.measured["energy"] = {{"tokens_per_joule_ratio", "", between(0.5, 0.6, 0.7), {}}};
  const Matrix matrix = decide(inputs);
  CHECK(row(matrix, "energy").verdict == Verdict::fail);
  CHECK(matrix.overall == Overall::adopt);
}

TEST_CASE("a row is as good as the worst of its measures, over all workloads") {
  Inputs inputs = all_pass();
  inputs.measured["serving_throughput"].push_back({"goodput_ratio", "rag", between(0.6, 0.7, 0.8), {}});
  CHECK(row(decide(inputs), "serving_throughput").verdict == Verdict::fail);
  inputs.measured["serving_throughput"][1].target = at_least(0.5);  // of this workload alone
  CHECK(decide(inputs).overall == Overall::adopt);
}

TEST_CASE("a measure without a target does not judge its row, unless there is no other") {
  Inputs inputs = all_pass();
  inputs.measured["correctness"].push_back({"token_agreement", "", between(0.9, 0.92, 0.94), {}});
  CHECK(decide(inputs).overall == Overall::adopt);
  inputs.targets["score_ratio"] = {};  // not asked
  inputs.measured["correctness"].erase(inputs.measured["correctness"].begin());
  const Matrix matrix = decide(inputs);
  CHECK(matrix.overall == Overall::hold);
  REQUIRE(matrix.would_change.size() == 1);
  CHECK(matrix.would_change[0].judgement.reason == Reason::no_target);
}

TEST_CASE("a measure that is asked for and was not measured leaves the row untested") {
  Inputs inputs = all_pass();
  inputs.targets["throughput_ratio"] = at_least(1);
  const Matrix matrix = decide(inputs);
  CHECK(row(matrix, "serving_throughput").verdict == Verdict::untested);
  CHECK(matrix.overall == Overall::hold);
}

TEST_CASE("a required row with neither target nor value is one thing to do, not one a measure") {
  Inputs inputs = all_pass();
  inputs.required.push_back("latency_tail");
  const Matrix matrix = decide(inputs);
  CHECK(matrix.overall == Overall::hold);
  REQUIRE(matrix.would_change.size() == 1);
  CHECK(matrix.would_change[0].id == "latency_tail");
  CHECK(matrix.would_change[0].measure.empty());
}

TEST_CASE("a count with a range is no exact one: unknown layers of the ecosystem") {
  Inputs inputs = all_pass();
  inputs.required.push_back("ecosystem");
  inputs.measured["ecosystem"] = {{"layers_missing", "", between(0, 0, 2), {}}};
  CHECK(row(decide(inputs), "ecosystem").verdict == Verdict::inconclusive);
  inputs.measured["ecosystem"][0].estimate = between(0, 0, 0);
  CHECK(decide(inputs).overall == Overall::adopt);
}

TEST_CASE("nothing required, or a row that the template lacks, decides nothing") {
  Inputs inputs = all_pass();
  inputs.required.clear();
  CHECK(decide(inputs).overall == Overall::hold);
  inputs = all_pass();
  inputs.required.push_back("beauty");
  CHECK(decide(inputs).overall == Overall::hold);
  CHECK(decide(inputs).blocking == std::vector<std::string>{"beauty"});
}

}  // namespace scoville::matrix
