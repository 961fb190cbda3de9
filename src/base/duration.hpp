#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/units.hpp"

namespace scoville {

/// Reads "50ms", "1.5s", "200us", "80ns", "2m", "1h"; a bare number counts as `bare_unit`.
/// Empty for anything else: negative, not finite, unknown unit, more than 292 years.
std::optional<Nanos> parse_duration(std::string_view text, Nanos bare_unit = std::chrono::seconds(1));

/// "850 ns", "12.3 µs", "4.56 ms", "1.20 s", "3 min 05 s": three digits, the unit that keeps them readable.
std::string format_duration(Nanos span);

}  // namespace scoville
