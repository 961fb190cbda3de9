#pragma once

#include "text/catalogue.hpp"

namespace scoville::text {

enum class ConfigMsg : std::uint32_t {
#define SCOVILLE_MESSAGE(key, english, chinese) key,
#include "text/catalogue/config.inc"
#undef SCOVILLE_MESSAGE
};

template <>
inline constexpr std::uint32_t kAreaOf<ConfigMsg> = 1;

}  // namespace scoville::text
