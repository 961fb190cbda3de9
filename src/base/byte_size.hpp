#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace scoville {

/// "500MB" (10^6), "8GiB" (2^30), "65536": bytes. Empty where it is no such size, or beyond 2^63 − 1.
std::optional<std::int64_t> parse_byte_size(std::string_view text);

/// To three digits: "65 B", "1.23 MB".
std::string format_byte_size(std::int64_t bytes);

}  // namespace scoville
