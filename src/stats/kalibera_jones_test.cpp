#include "stats/kalibera_jones.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace scoville::stats {
namespace {

using Values = std::vector<double>;

}  // namespace

TEST_CASE("T-KJ-1: how often to repeat the two inner of three levels") {
  const auto budget = repeat_budget(Values{4, 1, 2.25}, Values{10, 60, 300});
  REQUIRE(budget.has_value());
  REQUIRE(budget->size() == 2);
  CHECK((*budget)[0].exact.value() == doctest::Approx(4.89898).epsilon(2e-6));
  CHECK((*budget)[0].repeats == 5);
  CHECK((*budget)[1].exact.value() == doctest::Approx(1.49071).epsilon(3e-6));
  CHECK((*budget)[1].repeats == 2);
}

TEST_CASE("a whole number is not rounded up past itself") {
  // √(90/10 · 4/4) = 3.
  CHECK((*repeat_budget(Values{4, 4}, Values{10, 90}))[0].repeats == 3);
  CHECK((*repeat_budget(Values{4, 4}, Values{0.3, 2.7}))[0].repeats == 3);  // 2.7 / 0.3 is 9.000000000000002
}

TEST_CASE("a level without variance: once within it, all the time below it") {
  const auto budget = repeat_budget(Values{4, -0.1, 2}, Values{10, 60, 300});
  CHECK_FALSE((*budget)[0].repeats.has_value());
  CHECK((*budget)[1].repeats == 1);
}

TEST_CASE("what each level adds is what is left after the mean of the level below") {
  // S² = 4, 2, 3 seen with 4 and 8 repeats: 4, 2 - 4/4 = 1, 3 - 2/8 = 2.75.
  CHECK(added_variances(Values{4, 2, 3}, std::vector<std::uint64_t>{4, 8}) == Values{4, 1, 2.75});
  CHECK(added_variances(Values{4, 0.5}, std::vector<std::uint64_t>{4}) == Values{4, -0.5});
}

TEST_CASE("no levels, no cost, no number: null") {
  CHECK_FALSE(repeat_budget(Values{4}, Values{10}).has_value());
  CHECK_FALSE(repeat_budget(Values{4, 1}, Values{10}).has_value());
  CHECK_FALSE(repeat_budget(Values{4, 1}, Values{10, 0}).has_value());
  CHECK_FALSE(repeat_budget(Values{4, NAN}, Values{10, 60}).has_value());
  CHECK_FALSE(added_variances({}, {}).has_value());
  CHECK_FALSE(added_variances(Values{4, 2}, {}).has_value());
  CHECK_FALSE(added_variances(Values{4, 2}, std::vector<std::uint64_t>{0}).has_value());
  CHECK_FALSE(added_variances(Values{-4}, {}).has_value());
}

}  // namespace scoville::stats
