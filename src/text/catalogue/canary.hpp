#pragma once

#include "text/catalogue.hpp"

namespace scoville::text {

enum class CanaryMsg : std::uint32_t {
#define SCOVILLE_MESSAGE(key, english, chinese) key,
#include "text/catalogue/canary.inc"
#undef SCOVILLE_MESSAGE
};

template <>
inline constexpr std::uint32_t kAreaOf<CanaryMsg> = 7;

}  // namespace scoville::text
