#pragma once

#include "text/catalogue.hpp"

namespace scoville::text {

enum class NextMsg : std::uint32_t {
#define SCOVILLE_MESSAGE(key, english, chinese) key,
#include "text/catalogue/next.inc"
#undef SCOVILLE_MESSAGE
};

template <>
inline constexpr std::uint32_t kAreaOf<NextMsg> = 8;

}  // namespace scoville::text
