#include "correctness/logprob_distance.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "correctness/made_answer.hpp"

namespace scoville::correctness {
namespace {

using run::Answer;
using Chances = std::vector<run::TokenChance>;

Answer with_logprobs(const std::vector<std::pair<std::string, double>>& tokens) {
  Answer answer;
  for (const auto& [text, logprob] : tokens) {
    answer.text += text;
    answer.tokens.push_back({text, logprob, {}});
  }
  return answer;
}

LogprobDistance distance(const std::vector<Answer>& base, const std::vector<Answer>& other) {
  return logprob_distance(base, other, agreement_of(base, other, FailedCandidate::differs));
}

}  // namespace

TEST_CASE("the chosen token's distance is taken where both chose it after the same history") {
  const std::vector<Answer> base{with_logprobs({{"a", -0.1}, {"b", -0.5}, {"c", -1}, {"d", -2}}),
                                 with_logprobs({{"x", -0.25}})};
  const std::vector<Answer> other{with_logprobs({{"a", -0.2}, {"b", -0.1}, {"X", -9}, {"d", -9}}),  // a, b are common
                                  with_logprobs({{"x", -0.5}})};
  const LogprobDistance found = distance(base, other);
  REQUIRE(found.chosen.has_value());
  CHECK(found.chosen->positions == 3);  // 0.1, 0.4, 0.25
  CHECK(found.chosen->prompts == 2);
  CHECK(found.chosen->mean == doctest::Approx(0.25));
  CHECK(found.chosen->median == doctest::Approx(0.25));
  CHECK(found.chosen->largest == doctest::Approx(0.4));
  CHECK_FALSE(found.kl_at_least.has_value());  // no likely tokens were listed
}

TEST_CASE("the bound of KL joins all tokens that are not in both lists to one") {
  // A: a 0.5, b 0.3, rest 0.2; B: a 0.4, c 0.4, rest. Common: a. 0.5 ln(0.5/0.4) + 0.5 ln(0.5/0.6).
  const Chances base{{"a", std::log(0.5)}, {"b", std::log(0.3)}}, other{{"c", std::log(0.4)}, {"a", std::log(0.4)}};
  CHECK(*kl_at_least(base, other) == doctest::Approx(0.5 * std::log(1.25) + 0.5 * std::log(5.0 / 6)));
  // The whole distribution known: the bound is the divergence itself.
  const Chances all{{"a", std::log(0.75)}, {"b", std::log(0.25)}}, even{{"a", std::log(0.5)}, {"b", std::log(0.5)}};
  CHECK(*kl_at_least(all, even) == doctest::Approx(0.75 * std::log(1.5) + 0.25 * std::log(0.5)).epsilon(1e-6));
  CHECK(*kl_at_least(all, all) == doctest::Approx(0));
  CHECK_FALSE(kl_at_least(base, Chances{{"z", -1}}).has_value());
}

TEST_CASE("the first position that differs still has the same history: its distribution counts, its tokens do not") {
  Answer base = with_logprobs({{"a", std::log(0.75)}, {"p", -1}});
  Answer other = with_logprobs({{"b", std::log(0.5)}, {"q", -1}});
  base.tokens[0].top = {{"a", std::log(0.75)}, {"b", std::log(0.25)}};
  other.tokens[0].top = {{"a", std::log(0.5)}, {"b", std::log(0.5)}};
  base.tokens[1].top = other.tokens[1].top = {{"p", std::log(0.5)}};
  const LogprobDistance found = distance({base}, {other});
  CHECK_FALSE(found.chosen.has_value());
  REQUIRE(found.kl_at_least.has_value());
  CHECK(found.kl_at_least->positions == 1);
  CHECK(found.kl_at_least->mean == doctest::Approx(0.75 * std::log(1.5) + 0.25 * std::log(0.5)).epsilon(1e-6));
}

TEST_CASE("why there is no distance is said") {
  const std::vector<Answer> told{with_logprobs({{"a", -0.5}})}, zero{with_logprobs({{"a", 0.0}})};
  CHECK(distance(told, {answer_of({"a"})}).reason == NoDistance::not_offered);
  CHECK(distance(told, zero).reason == NoDistance::all_zero);
  CHECK(distance(told, {with_logprobs({{"b", -0.5}})}).reason == NoDistance::no_position);
  const std::vector<Answer> split{with_logprobs({{"a", -0.5}, {"b", -0.5}})}, whole{with_logprobs({{"ab", -0.5}})};
  CHECK(distance(split, whole).reason == NoDistance::unit);
  CHECK(distance(told, {no_answer()}).reason == NoDistance::not_offered);
}

}  // namespace scoville::correctness
