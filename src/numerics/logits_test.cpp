#include "numerics/logits.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace scoville::numerics {
namespace {

using Ids = std::vector<std::int64_t>;

TEST_CASE("two positions over two tokens, by hand") {
  // p = (3/4, 1/4), q = (1/2, 1/2): KL = ¾ ln 1.5 + ¼ ln 0.5. The second position is the same: KL 0.
  const std::vector<double> p{std::log(3.0), 0, 1, 0}, q{5, 5, 1, 0};
  LogitComparison comparison;
  comparison.add({p, 2}, {q, 2}, Ids{0, 1});
  const LogitAgreement a = *comparison.result();
  const double kl = 0.75 * std::log(1.5) + 0.25 * std::log(0.5);
  CHECK(a.positions == 2);
  CHECK(a.mean_kl == doctest::Approx(kl / 2));
  CHECK(a.p99_kl == doctest::Approx(kl));
  CHECK(a.top1 == 1);  // of equally likely tokens the smaller id counts
  CHECK(a.top5 == 1);
  // Token 1 followed position 0: probabilities 1/4 and 1/2, so perplexities 4 and 2.
  CHECK(*a.perplexity_reference == doctest::Approx(4));
  CHECK(*a.perplexity_test == doctest::Approx(2));
  CHECK(*a.perplexity_change() == doctest::Approx(-0.5));
}

TEST_CASE("top-5 is the share of the reference's five that the other has too") {
  const std::vector<double> p{9, 8, 7, 6, 5, 0, 0}, q{0, 8, 7, 6, 1, 9, 5};
  LogitComparison comparison;
  comparison.add({p, 7}, {q, 7}, {});
  CHECK(comparison.result()->top1 == 0);
  CHECK(comparison.result()->top5 == doctest::Approx(0.6));  // 1, 2, 3
  CHECK_FALSE(comparison.result()->perplexity_reference);
}

TEST_CASE("a constant added to all logits changes nothing, and large ones do not overflow") {
  const std::vector<double> p{800, 700, 600}, q{-100, -200, -300};
  LogitComparison comparison;
  comparison.add({p, 3}, {q, 3}, {});
  CHECK(comparison.result()->mean_kl == doctest::Approx(0));
}

TEST_CASE("a position that is not finite agrees with nothing") {
  const std::vector<double> p{1, 0}, q{std::nan(""), 0};
  LogitComparison comparison;
  comparison.add({p, 2}, {q, 2}, {});
  CHECK(std::isinf(comparison.result()->mean_kl));
  CHECK(comparison.result()->top1 == 0);
}

TEST_CASE("greedy tokens match up to the first that differs") {
  CHECK(match_length(Ids{1, 2, 3, 4}, Ids{1, 2, 9, 4}) == 2);
  CHECK(match_length(Ids{1, 2}, Ids{1, 2, 3}) == 2);
  CHECK(match_length(Ids{}, Ids{1}) == 0);
  CHECK_FALSE(LogitComparison().result());
}

}  // namespace
}  // namespace scoville::numerics
