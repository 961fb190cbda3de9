#include "stats/mcnemar.hpp"

#include <doctest/doctest.h>

namespace scoville::stats {

TEST_CASE("McNemar's p is the two-sided binomial tail over the questions that only one of two got right") {
  CHECK(mcnemar_p(0, 6) == doctest::Approx(2.0 / 64));            // 2 · C(6,0) / 2^6
  CHECK(mcnemar_p(1, 5) == doctest::Approx(14.0 / 64));           // 2 · (1 + 6) / 2^6
  CHECK(mcnemar_p(3, 7) == doctest::Approx(352.0 / 1024));        // 2 · (1 + 10 + 45 + 120) / 2^10
  CHECK(mcnemar_p(2, 12) == doctest::Approx(2.0 * 106 / 16384));  // 2 · (1 + 14 + 91) / 2^14
  CHECK(mcnemar_p(12, 2) == mcnemar_p(2, 12));
}

TEST_CASE("equal sides, or none that tells, show nothing") {
  CHECK(mcnemar_p(0, 0) == 1);
  CHECK(mcnemar_p(10, 10) == 1);
  CHECK(mcnemar_p(1, 0) == 1);
}

TEST_CASE("five on one side cannot show a difference at 5 %, six can") {
  CHECK(mcnemar_p(5, 0) > 0.05);
  CHECK(mcnemar_p(6, 0) < 0.05);
}

}  // namespace scoville::stats
