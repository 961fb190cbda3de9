#include "base/money.hpp"

#include <doctest/doctest.h>

using namespace scoville;

TEST_CASE("an amount is read with its currency before or behind it") {
  for (const char* text : {"9.8CNY", "9.8 cny", "CNY 9.8", " CNY9.8 "}) {
    CAPTURE(text);
    const Result<Money> money = parse_money(text);
    REQUIRE(money.ok());
    CHECK(money->amount == 9.8);
    CHECK(money->currency == "CNY");
  }
}

TEST_CASE("an amount without a currency, or what is no amount, is refused") {
  for (const char* text : {"9.8", "CNY", "", "-1CNY", "nanCNY", "9,8CNY", "9.8 元", "9.8USDT", "1e999CNY"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_money(text).ok());
  }
}

TEST_CASE("small amounts keep their digits") {
  CHECK(to_string(Money{1234.5, "USD"}) == "USD 1234.50");
  CHECK(to_string(Money{0.00123456, "CNY"}) == "CNY 0.00123");
}
