#include "analyse/unit_cost.hpp"

#include <doctest/doctest.h>

namespace scoville::analyse {

TEST_CASE("the hourly rate is spread over the tokens of an hour, in three ways") {
  // 8 cards at 9.8 CNY: 78.4 an hour; 1000 output and 3000 input tokens/s: 3.6 and 10.8 million an hour.
  const UnitCost cost = unit_cost({{9.8, "CNY"}, 8}, {{}, {1000, std::nullopt}, {4000, std::nullopt}});
  CHECK(cost.currency == "CNY");
  CHECK(*cost.on_output == doctest::Approx(78.4 / 3.6));
  CHECK(*cost.on_input == doctest::Approx(78.4 / 10.8));
  CHECK(*cost.blended == doctest::Approx(78.4 / 14.4));
}

TEST_CASE("a rate that is not known, or is 0, gives no cost rather than none or an endless one") {
  const UnitCost unknown = unit_cost({{9.8, "CNY"}, 1}, {});
  CHECK_FALSE(unknown.blended.has_value());
  CHECK_FALSE(unknown.on_output.has_value());
  const UnitCost none = unit_cost({{9.8, "CNY"}, 1}, {{}, {0, std::nullopt}, {0, std::nullopt}});
  CHECK_FALSE(none.on_output.has_value());
  CHECK_FALSE(none.on_input.has_value());
}

}  // namespace scoville::analyse
