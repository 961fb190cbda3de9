#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace scoville::trace {

/// "1736071200000000.125" microseconds into 1736071200000000125 ns: by its digits, never through a double, whose 53
/// bits do not hold the fraction of an absolute time. Blanks at the ends and an exponent are taken; digits below
/// `decimals` are dropped. Empty: no number, or too large.
std::optional<std::int64_t> parse_decimal(std::string_view text, int decimals);

/// Microseconds, as all trace formats write them.
inline std::optional<std::int64_t> nanos_of_micros(std::string_view text) { return parse_decimal(text, 3); }

}  // namespace scoville::trace
