#pragma once

#include "text/catalogue.hpp"

namespace scoville::text {

enum class TraceMsg : std::uint32_t {
#define SCOVILLE_MESSAGE(key, english, chinese) key,
#include "text/catalogue/trace.inc"
#undef SCOVILLE_MESSAGE
};

template <>
inline constexpr std::uint32_t kAreaOf<TraceMsg> = 10;

}  // namespace scoville::text
