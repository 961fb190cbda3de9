#include "correctness/gate.hpp"

#include <doctest/doctest.h>

#include "correctness/made_answer.hpp"

namespace scoville::correctness {
namespace {

ScoreComparison scores(const stats::PairedCounts& counts, std::size_t reference_failed = 0) {
  ScoreComparison made;
  made.counts = counts;
  made.reference_failed = reference_failed;
  made.ratio_interval = stats::share_ratio(counts);
  return made;
}

GateAnswer gate(const stats::PairedCounts& counts, double target, std::size_t reference_failed = 0) {
  return gate_of_scores(scores(counts, reference_failed), counts.pairs() + reference_failed, target);
}

Agreement agreeing(std::size_t identical, std::size_t different) {
  std::vector<run::Answer> base, other;
  for (std::size_t i = 0; i < identical + different; ++i) {
    base.push_back(answer_of({"a"}));
    other.push_back(answer_of({i < identical ? "a" : "b"}));
  }
  return agreement_of(base, other, FailedCandidate::differs);
}

}  // namespace

TEST_CASE("equal answers pass once there are enough of them: k / (k + z²) >= 0.99 from 381 on") {
  CHECK(gate({381, 0, 0, 0}, 0.99).verdict == GateVerdict::pass);
  const GateAnswer few = gate({380, 0, 0, 0}, 0.99);
  CHECK(few.verdict == GateVerdict::cannot_tell);
  CHECK(few.reason == GateReason::interval_spans_target);
  CHECK(few.needed == 381);
  CHECK(gate({40, 0, 0, 0}, 0.9).verdict == GateVerdict::pass);  // 40 / 43.84 = 0.912
}

TEST_CASE("a planted loss fails, a small one on few tasks cannot be told") {
  CHECK(gate({300, 60, 0, 40}, 0.99).verdict == GateVerdict::fail);
  CHECK(gate({38, 2, 0, 0}, 0.99).verdict == GateVerdict::cannot_tell);
  CHECK(gate({0, 40, 0, 0}, 0.99).verdict == GateVerdict::fail);
}

TEST_CASE("a reference without any right answer has no ratio") {
  const GateAnswer answer = gate({0, 0, 5, 5}, 0.99);
  CHECK(answer.verdict == GateVerdict::cannot_tell);
  CHECK(answer.reason == GateReason::reference_scores_nothing);
}

TEST_CASE("what the reference did not answer may hide the loss that is allowed") {
  CHECK(gate({1000, 0, 0, 0}, 0.99, 10).verdict == GateVerdict::pass);  // 10 of 1010
  const GateAnswer answer = gate({1000, 0, 0, 0}, 0.99, 11);
  CHECK(answer.verdict == GateVerdict::cannot_tell);
  CHECK(answer.reason == GateReason::reference_failed);
}

TEST_CASE("agreement has a gate of its own, on the interval of the share of identical answers") {
  CHECK(gate_of_agreement(agreeing(40, 0), 0.9).verdict == GateVerdict::pass);  // 0.025^(1/40) = 0.9119
  const GateAnswer few = gate_of_agreement(agreeing(30, 0), 0.9);               // 0.025^(1/30) = 0.8843
  CHECK(few.verdict == GateVerdict::cannot_tell);
  CHECK(few.needed == 36);  // ln 0.025 / ln 0.9 = 35.01
  CHECK(gate_of_agreement(agreeing(10, 30), 0.9).verdict == GateVerdict::fail);
}

TEST_CASE("of two gates the worse speaks; none asked for is not measured") {
  const GateAnswer pass{GateVerdict::pass, GateReason::within_target, 0.99, {}};
  const GateAnswer fail{GateVerdict::fail, GateReason::below_target, 0.99, {}};
  const GateAnswer open{GateVerdict::cannot_tell, GateReason::interval_spans_target, 0.99, {}};
  CHECK(join(pass, {}, true).verdict == GateVerdict::pass);
  CHECK(join(pass, open, true).verdict == GateVerdict::cannot_tell);
  CHECK(join(open, pass, true).verdict == GateVerdict::cannot_tell);
  CHECK(join(open, fail, true).verdict == GateVerdict::fail);
  CHECK(join(fail, open, true).reason == GateReason::below_target);
  CHECK(join({}, {}, true).reason == GateReason::no_tasks);
  CHECK(join({}, {}, false).reason == GateReason::no_candidate);
}

}  // namespace scoville::correctness
