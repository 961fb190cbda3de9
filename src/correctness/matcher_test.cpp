#include "correctness/matcher.hpp"

#include <doctest/doctest.h>

namespace scoville::correctness {
namespace {

Match held(MatcherKind kind, const std::string& expected, const std::string& answer,
           std::optional<double> tolerance = {}) {
  const auto matcher = Matcher::make(kind, {expected}, tolerance);
  REQUIRE(matcher.ok());
  return (*matcher)->match(answer_part(answer));
}

bool is_right(MatcherKind kind, const std::string& expected, const std::string& answer) {
  return held(kind, expected, answer) == Match::right;
}

}  // namespace

TEST_CASE("thoughts are no part of the answer") {
  CHECK(answer_part("<think>It is 7.</think>\n\n 8 ") == "8");
  CHECK(answer_part("It is 7.</think> 8") == "8");  // some templates open it in the prompt
  CHECK(answer_part("<think>It is 7") == "");
  CHECK(answer_part("　B　\n") == "B");  // U+3000
  CHECK(answer_part("plain") == "plain");
}

TEST_CASE("exact: the same characters, white space at the ends aside") {
  CHECK(is_right(MatcherKind::exact, "Paris", "  Paris\n"));
  CHECK_FALSE(is_right(MatcherKind::exact, "Paris", "paris"));
  CHECK_FALSE(is_right(MatcherKind::exact, "Paris", "Paris."));
  CHECK(is_right(MatcherKind::exact, "黑", "黑"));
}

TEST_CASE("number: the last one of the answer, by value") {
  CHECK(last_number("17 + 26 = 43") == 43);
  CHECK(last_number("The total is 1,234,567.89 euros.") == 1234567.89);
  CHECK(last_number("It costs $1,050") == 1050);
  CHECK(last_number("about -3.5 degrees") == -3.5);
  CHECK(last_number("from 3-4") == 4);  // a range, no sign
  CHECK(last_number("x = −7") == -7);   // U+2212
  CHECK(last_number("6.02e23") == 6.02e23);
  CHECK(last_number("\\boxed{42}.") == 42);
  CHECK(last_number("答案是１２３。") == 123);  // full-width digits
  CHECK(last_number(".5") == 0.5);
  CHECK(last_number("1,5") == 5);  // no grouping: two numbers
  CHECK(last_number("1234,567") == 567);
  CHECK_FALSE(last_number("none here").has_value());
  CHECK_FALSE(last_number("").has_value());
}

TEST_CASE("number: within its tolerance") {
  CHECK(is_right(MatcherKind::number, "0.3333333", "0.33333333"));
  CHECK_FALSE(is_right(MatcherKind::number, "0.333", "0.334"));
  CHECK(held(MatcherKind::number, "3.14", "3.1416", 0.01) == Match::right);
  CHECK(held(MatcherKind::number, "3.14", "3.2", 0.01) == Match::wrong);
  CHECK_FALSE(is_right(MatcherKind::number, "5", "five"));
  CHECK_FALSE(Matcher::make(MatcherKind::number, {"five"}, {}).ok());
  CHECK_FALSE(Matcher::make(MatcherKind::number, {"inf"}, {}).ok());
}

TEST_CASE("choice: the letter announced, else at the beginning, else the only one") {
  CHECK(chosen_letter("B") == 'B');
  CHECK(chosen_letter("(b)") == 'B');
  CHECK(chosen_letter("B. Mercury") == 'B');
  CHECK(chosen_letter("**C**") == 'C');
  CHECK(chosen_letter("Answer: D") == 'D');
  CHECK(chosen_letter("The answer is (A).") == 'A');
  CHECK(chosen_letter("A. is tempting, but the answer is B") == 'B');
  CHECK(chosen_letter("答案是 C") == 'C');
  CHECK(chosen_letter("答案：Ｄ。") == 'D');  // full width
  CHECK(chosen_letter("选B。") == 'B');
  CHECK(chosen_letter("我认为B正确") == 'B');
  CHECK(chosen_letter("\\boxed{C}") == 'C');
  CHECK(chosen_letter("I think it must be D because of the rest") == 'D');
  CHECK_FALSE(chosen_letter("The answer is a dog").has_value());
  CHECK_FALSE(chosen_letter("B or C").has_value());
  CHECK_FALSE(chosen_letter("Mercury").has_value());
  CHECK_FALSE(chosen_letter("").has_value());
  CHECK(is_right(MatcherKind::choice, "b", "B"));
  CHECK_FALSE(Matcher::make(MatcherKind::choice, {"AB"}, {}).ok());
}

TEST_CASE("regex: found anywhere; what cannot be compiled is refused") {
  CHECK(is_right(MatcherKind::regex, R"(\b2025-01-01\b)", "It is 2025-01-01."));
  CHECK(is_right(MatcherKind::regex, "(?i)iron", "IRON"));
  CHECK_FALSE(is_right(MatcherKind::regex, "^iron$", "iron ore"));
  CHECK_FALSE(Matcher::make(MatcherKind::regex, {"("}, {}).ok());
}

TEST_CASE("regex: a pattern that would take for ever is ended, and a long answer breaks nothing") {
  CHECK(held(MatcherKind::regex, "(a+)+b", std::string(5000, 'a')) == Match::too_complex);
  CHECK(held(MatcherKind::regex, "(?:.|\\n)*end", std::string(1000000, 'x') + "end") != Match::wrong);
}

TEST_CASE("any of several expectations will do") {
  const auto matcher = Matcher::make(MatcherKind::exact, {"cold", "Cold"}, {});
  REQUIRE(matcher.ok());
  CHECK((*matcher)->match("Cold") == Match::right);
  CHECK((*matcher)->match("warm") == Match::wrong);
}

}  // namespace scoville::correctness
