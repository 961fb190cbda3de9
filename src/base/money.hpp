#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace scoville {

/// An amount of one currency. Amounts of two are never added: there is no rate here.
struct Money {
  double amount = 0;
  std::string currency;  ///< ISO 4217: "CNY"
};

/// "9.8CNY", "9.8 CNY", "CNY 9.8"; an amount of 0 or more and a code of three letters, in any case.
Result<Money> parse_money(std::string_view text);

/// "CNY 9.80": two digits after the point, or three significant ones where that would be 0.
std::string to_string(const Money& money);

}  // namespace scoville
