#include "correctness/agreement.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "correctness/made_answer.hpp"

namespace scoville::correctness {
namespace {

using run::Answer;

constexpr auto kDiffers = FailedCandidate::differs;

}  // namespace

TEST_CASE("equal answers agree on everything, and ten of ten still leave doubt") {
  const std::vector<Answer> answers(10, answer_of({"a", "b", "c"}));
  const Agreement all = agreement_of(answers, answers, kDiffers);
  CHECK(all.unit == Unit::token);
  CHECK(all.identical == 10);
  CHECK(all.identical_share == 1);
  CHECK(all.identical_interval->lower == doctest::Approx(std::pow(0.025, 0.1)));  // Clopper and Pearson: p^10 = α/2
  CHECK(all.prefix_mean == 1);
  CHECK(all.diverged == 0);
  CHECK_FALSE(all.divergence_median.has_value());
}

TEST_CASE("the first different token counts, not the number of different ones") {
  const std::vector<Answer> base{answer_of({"a", "b", "c", "d"}), answer_of({"a", "b", "c", "d"}),
                                 answer_of({"a", "b"})};
  const std::vector<Answer> other{answer_of({"a", "X", "c", "d"}),       // differs after 1, though later ones agree
                                  answer_of({"a", "b", "c", "d", "e"}),  // is longer: differs after 4
                                  answer_of({"a", "b"})};
  const Agreement all = agreement_of(base, other, kDiffers);
  CHECK(all.pairs[0].divergence == 1u);
  CHECK(all.pairs[0].prefix_share == 0.25);
  CHECK(all.pairs[1].divergence == 4u);
  CHECK(all.pairs[1].prefix_share == 0.8);
  CHECK_FALSE(all.pairs[2].divergence.has_value());
  CHECK(all.identical == 1);
  CHECK(all.diverged == 2);
  CHECK(all.divergence_median == 1);  // nearest rank of 1, 4
  CHECK(*all.prefix_mean == doctest::Approx((0.25 + 0.8 + 1) / 3));
  CHECK(all.prefix_median == 0.8);
  CHECK_FALSE(all.prefix_interval.has_value());  // three prompts bound no median at 95 %
}

TEST_CASE("a failed candidate is different from the first token on; a failed reference is not measured") {
  const std::vector<Answer> base{answer_of({"a"}), no_answer(), no_answer(), answer_of({"a"})};
  const std::vector<Answer> other{no_answer(), answer_of({"a"}), no_answer(), answer_of({"a"})};
  const Agreement all = agreement_of(base, other, kDiffers);
  CHECK(all.measured == 2);
  CHECK(all.not_measured() == 2);
  CHECK(all.candidate_failed == 1);
  CHECK(all.identical == 1);
  CHECK(all.identical_share == 0.5);
  CHECK(all.prefix_mean == 0.5);
  CHECK(all.diverged == 0);  // no token was seen to differ
}

TEST_CASE("against itself a failure is not measured: it would lower what others are held against") {
  const std::vector<Answer> base{answer_of({"a"}), answer_of({"a"})}, again{no_answer(), answer_of({"a"})};
  const Agreement all = agreement_of(base, again, FailedCandidate::not_measured);
  CHECK(all.measured == 1);
  CHECK(all.identical_share == 1);
  CHECK(all.candidate_failed == 0);
}

TEST_CASE("nothing measured gives no figure") {
  const std::vector<Answer> none{no_answer()};
  const Agreement all = agreement_of(none, none, kDiffers);
  CHECK(all.measured == 0);
  CHECK_FALSE(all.identical_share.has_value());
  CHECK_FALSE(all.prefix_mean.has_value());
}

TEST_CASE("without lists of tokens characters are compared, reasoning first") {
  std::vector<Answer> base{text_answer("中文 ok"), text_answer("same")};
  std::vector<Answer> other{text_answer("中国 ok"), text_answer("same")};
  base[1].reasoning = "ab";
  other[1].reasoning = "ax";
  const Agreement all = agreement_of(base, other, kDiffers);
  CHECK(all.unit == Unit::character);
  CHECK(all.unit_reason == UnitReason::not_listed);
  CHECK(all.pairs[0].divergence == 1u);
  CHECK(all.pairs[0].base_length == 5);
  CHECK(all.pairs[0].prefix_share == 0.2);
  CHECK(all.pairs[1].divergence == 1u);  // "ab" + "same" against "ax" + "same"
}

TEST_CASE("tokens that are spelt differently where the text is the same are not held against each other") {
  std::vector<Answer> base{answer_of({"Hel", "lo"}), answer_of({"a", "b"})};
  const std::vector<Answer> other{answer_of({"Hello"}), answer_of({"a", "c"})};
  const Agreement all = agreement_of(base, other, kDiffers);
  CHECK(all.unit_reason == UnitReason::spelt_differently);
  CHECK(all.unit == Unit::character);
  CHECK(all.identical == 1);
  CHECK(all.pairs[1].divergence == 1u);
}

TEST_CASE("two empty answers are identical") {
  const std::vector<Answer> empty{text_answer("")};
  const Agreement all = agreement_of(empty, empty, kDiffers);
  CHECK(all.unit == Unit::token);
  CHECK(all.identical == 1);
  CHECK(all.prefix_mean == 1);
}

TEST_CASE("characters are those of UTF-8; a broken byte stands alone") {
  using Units = std::vector<std::string_view>;
  CHECK(characters("a中😀") == Units{"a", "中", "😀"});
  CHECK(characters("\xFF"
                   "a\x80") == Units{"\xFF", "a", "\x80"});
  CHECK(characters("").empty());
}

}  // namespace scoville::correctness
