#pragma once

#include "text/catalogue.hpp"

namespace scoville::text {

enum class ReadinessMsg : std::uint32_t {
#define SCOVILLE_MESSAGE(key, english, chinese) key,
#include "text/catalogue/readiness.inc"
#undef SCOVILLE_MESSAGE
};

template <>
inline constexpr std::uint32_t kAreaOf<ReadinessMsg> = 18;

}  // namespace scoville::text
