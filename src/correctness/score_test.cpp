#include "correctness/score.hpp"

#include <doctest/doctest.h>

#include "correctness/made_answer.hpp"

namespace scoville::correctness {
namespace {

/// Tasks whose right answer is "x".
TaskFile tasks(std::size_t n) {
  TaskFile file;
  for (std::size_t i = 0; i < n; ++i) {
    Task task;
    task.id = std::to_string(i);
    task.matcher = std::move(*Matcher::make(MatcherKind::exact, {"x"}, {}));
    file.tasks.push_back(std::move(task));
  }
  return file;
}

/// "x" right, "-" wrong, "!" failed.
std::vector<run::Answer> answers(std::string_view pattern) {
  std::vector<run::Answer> out;
  for (const char c : pattern) out.push_back(c == '!' ? no_answer() : text_answer(std::string(1, c)));
  return out;
}

Score score(std::string_view pattern) { return score_of(tasks(pattern.size()), answers(pattern)); }

}  // namespace

TEST_CASE("a failed request is a wrong answer, and is told apart") {
  const Score found = score("xxxxxxx-!");
  CHECK(found.right == 7);
  CHECK(found.failed == 1);
  CHECK(*found.share == doctest::Approx(7.0 / 9));
  CHECK(found.interval->lower == doctest::Approx(0.399906426));  // Clopper and Pearson, 7 of 9
  CHECK(found.interval->upper == doctest::Approx(0.971855027));
  CHECK(found.outcomes[8] == Outcome::failed);
}

TEST_CASE("a wrong answer that the limit cut off is counted, a right one is right all the same") {
  std::vector<run::Answer> cut = answers("x-");
  for (run::Answer& each : cut) each.finish_reason = "length";
  CHECK(score_of(tasks(2), cut).cut_off == 1);
}

TEST_CASE("thoughts do not score, neither in their own channel nor before the answer") {
  std::vector<run::Answer> thought{text_answer("<think>x</think>-"), text_answer("-"),
                                   text_answer("<think>-</think>x")};
  thought[1].reasoning = "x";
  const Score found = score_of(tasks(3), thought);
  CHECK(found.right == 1);
  CHECK(found.outcomes[2] == Outcome::right);
}

TEST_CASE("two arms task by task: counts, McNemar's p, difference and ratio by hand") {
  const Score reference = score("xxxxxx----"), candidate = score("x-----xx--");
  const ScoreComparison found = compare_scores(reference, candidate);
  CHECK(found.counts == stats::PairedCounts{1, 5, 2, 2});
  CHECK(found.mcnemar_p == doctest::Approx(2.0 * (1 + 7 + 21) / 128));  // Bin(7, 1/2), at most 2
  CHECK(*found.difference == doctest::Approx(-0.3));
  CHECK(*found.ratio == doctest::Approx(0.5));
}

TEST_CASE("what the reference failed to answer is left out: it must not make the candidate look better") {
  const ScoreComparison found = compare_scores(score("!!xx"), score("xxx!"));
  CHECK(found.reference_failed == 2);
  CHECK(found.counts == stats::PairedCounts{1, 1, 0, 0});  // the candidate's failure is wrong
  CHECK(*found.ratio == 0.5);
  const ScoreComparison none = compare_scores(score("!"), score("x"));
  CHECK_FALSE(none.ratio.has_value());
  CHECK_FALSE(none.difference.has_value());
  CHECK(none.mcnemar_p == 1);
}

}  // namespace scoville::correctness
