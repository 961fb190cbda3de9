#include "trace/decimal.hpp"

#include <charconv>
#include <limits>

namespace scoville::trace {
namespace {

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view stripped(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// "e+15" at the end of a number; cuts it off. Empty: it is no exponent.
std::optional<int> take_exponent(std::string_view& text) {
  const std::size_t at = text.find_first_of("eE");
  if (at == std::string_view::npos) return 0;
  std::string_view digits = text.substr(at + 1);
  if (digits.starts_with('+')) digits.remove_prefix(1);
  int value = 0;
  const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (fault != std::errc() || end != digits.data() + digits.size() || value < -40 || value > 40) return std::nullopt;
  text = text.substr(0, at);
  return value;
}

}  // namespace

std::optional<std::int64_t> parse_decimal(std::string_view text, int decimals) {
  text = stripped(text);
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  const std::optional<int> exponent = take_exponent(text);
  if (!exponent) return std::nullopt;
  int scale = decimals + *exponent;  // digits to take after the point
  std::int64_t value = 0;
  bool is_after_point = false, has_digits = false;
  const auto take = [&](int digit) {
    if (value > (kLargest - digit) / 10) return false;
    value = value * 10 + digit;
    return true;
  };
  for (const char c : text) {
    if (c == '.' && !is_after_point) {
      is_after_point = true;
      continue;
    }
    if (!is_digit(c)) return std::nullopt;
    has_digits = true;
    if (is_after_point && scale <= 0) continue;
    if (!take(c - '0')) return std::nullopt;
    if (is_after_point) --scale;
  }
  for (; scale > 0; --scale) {
    if (!take(0)) return std::nullopt;
  }
  for (; scale < 0; ++scale) value /= 10;
  if (!has_digits) return std::nullopt;
  return is_negative ? -value : value;
}

}  // namespace scoville::trace
