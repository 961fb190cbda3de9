#pragma once

#include <optional>
#include <string_view>

#include "base/units.hpp"

namespace scoville::workload {

/// A number since 1970 as logs write it: seconds, or ms, µs, ns where it is too large for those (1e11 s is the year
/// 5138). Empty: not finite, negative, or before 2001 (1e9 s), which no log of such requests is.
std::optional<Nanos> epoch_time(double number);

/// ISO 8601 with date and time, "2026-11-30T10:15:30.123456Z", "2026-11-30 10:15:30,5+08:00", and epoch numbers as
/// text. Without a zone it is UTC.
std::optional<Nanos> parse_time(std::string_view text);

/// "30/Nov/2026:10:15:30 +0800": access logs.
std::optional<Nanos> parse_access_time(std::string_view text);

}  // namespace scoville::workload
