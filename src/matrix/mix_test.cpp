#include "matrix/mix.hpp"

#include <doctest/doctest.h>

namespace scoville::matrix {

TEST_CASE("two candidates, two workloads: the mix at which the cheaper one changes") {
  // chat: A 1.0, B 1.2; offline: A 0.8, B 0.5. Level where 1 − 0.2 s = 1.2 − 0.7 s, so s = 0.4.
  const std::vector<MixArm> arms{{"A", {1.0, 0.8}}, {"B", {1.2, 0.5}}};
  const std::vector<double> shares{0.7, 0.3};
  const auto segments = mix_flip(arms, shares, 1, true);
  REQUIRE(segments.size() == 2);
  CHECK(segments[0].arm == 0);
  CHECK(segments[0].to == doctest::Approx(0.4));
  CHECK(segments[1].arm == 1);
  CHECK(segments[1].from == doctest::Approx(0.4));
  CHECK(segments[1].to == 1);
  // With scores, more is better: the same crossing, the other way round.
  const auto scores = mix_flip(arms, shares, 1, false);
  REQUIRE(scores.size() == 2);
  CHECK(scores[0].arm == 1);
}

TEST_CASE("one that is better everywhere has the whole range") {
  const std::vector<MixArm> arms{{"A", {1.0, 0.8}}, {"B", {1.2, 0.9}}};
  CHECK(mix_flip(arms, std::vector<double>{0.5, 0.5}, 0, true) == std::vector<MixSegment>{{0, 1, 0}});
}

TEST_CASE("a third candidate may be best in the middle only") {
  // At 0: 1, 3, 1.5; at 1: 3, 1, 1.5. C is best from 0.25 to 0.75.
  const std::vector<MixArm> arms{{"A", {1, 3}}, {"B", {3, 1}}, {"C", {1.5, 1.5}}};
  const auto segments = mix_flip(arms, std::vector<double>{0.5, 0.5}, 1, true);
  REQUIRE(segments.size() == 3);
  CHECK(segments[1].arm == 2);
  CHECK(segments[1].from == doctest::Approx(0.25));
  CHECK(segments[1].to == doctest::Approx(0.75));
}

TEST_CASE("of several workloads the others keep their proportions") {
  // The rest is chat : rag = 3 : 1, so A costs 1.0 and B 1.25 without offline; offline alone 1.0 and 0.5.
  const std::vector<MixArm> arms{{"A", {1.0, 1.0, 1.0}}, {"B", {1.0, 2.0, 0.5}}};
  const auto segments = mix_flip(arms, std::vector<double>{0.6, 0.2, 0.2}, 2, true);
  REQUIRE(segments.size() == 2);
  CHECK(segments[0].arm == 0);
  CHECK(segments[0].to == doctest::Approx(1.0 / 3));  // 1 = 1.25 − 0.75 s
}

}  // namespace scoville::matrix
