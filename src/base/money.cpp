#include "base/money.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

namespace scoville {
namespace {

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

}  // namespace

Result<Money> parse_money(std::string_view text) {
  const Error wrong{ErrorCode::invalid_argument, "an amount and a currency, as in 9.8CNY"};
  text = trimmed(text);
  std::string_view code, number;
  if (text.size() > 3 && is_letter(text.front())) {
    code = text.substr(0, 3);
    number = text.substr(3);
  } else if (text.size() > 3) {
    code = text.substr(text.size() - 3);
    number = text.substr(0, text.size() - 3);
  }
  number = trimmed(number);
  Money money;
  const auto [end, fault] = std::from_chars(number.data(), number.data() + number.size(), money.amount);
  const bool is_number = !number.empty() && fault == std::errc() && end == number.data() + number.size();
  if (!is_number || !std::isfinite(money.amount) || money.amount < 0) return wrong;
  if (!std::all_of(code.begin(), code.end(), is_letter)) return wrong;
  for (const char c : code) money.currency += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return money;
}

std::string to_string(const Money& money) {
  const bool is_tiny = money.amount > 0 && money.amount < 0.1;
  return money.currency + " " + (is_tiny ? fmt::format("{:.3g}", money.amount) : fmt::format("{:.2f}", money.amount));
}

}  // namespace scoville
