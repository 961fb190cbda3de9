#include "evaluate/journal.hpp"

#include <doctest/doctest.h>

namespace scoville::evaluate {

TEST_CASE("a journal is read back; the newest line of a step counts, and only of the same words") {
  Step step;
  step.id = "serving chat a b";
  step.words = {"duel", "x"};
  const std::string key = key_of(step);
  const std::string text = journal_line({step.id, key, 1, 2.5, "2026-11-30T10:00:00Z", "refused"}) +
                           journal_line({step.id, key, 0, 3.5, "2026-11-30T11:00:00Z", ""});
  const auto journal = read_journal(text, "steps.jsonl");
  REQUIRE(journal.ok());
  const StepResult* const found = result_of(*journal, step);
  REQUIRE(found);
  CHECK(found->status == 0);
  CHECK(found->seconds == 3.5);
  CHECK(found->has_answer());
  step.words.push_back("--pairs");
  CHECK_FALSE(result_of(*journal, step));
}

TEST_CASE("a gate that was not met and a shrug are answers; a failure is none") {
  StepResult result;
  for (const int status : {0, 3, 4}) {
    result.status = status;
    CHECK(result.has_answer());
  }
  for (const int status : {1, 2, 130, 137}) {
    result.status = status;
    CHECK_FALSE(result.has_answer());
  }
}

TEST_CASE("a line that was cut off is none; a damaged one is told with its number") {
  const std::string line = journal_line({"a", "k", 0, 1, "d", ""});
  CHECK(read_journal(line + line.substr(0, 10), "j")->size() == 1);
  const auto damaged = read_journal(line + "{oops\n", "j");
  REQUIRE_FALSE(damaged.ok());
  CHECK(damaged.error().message.starts_with("j:2: "));
}

}  // namespace scoville::evaluate
