#pragma once

#include "text/catalogue.hpp"

namespace scoville::text {

enum class PortabilityMsg : std::uint32_t {
#define SCOVILLE_MESSAGE(key, english, chinese) key,
#include "text/catalogue/portability.inc"
#undef SCOVILLE_MESSAGE
};

template <>
inline constexpr std::uint32_t kAreaOf<PortabilityMsg> = 13;

}  // namespace scoville::text
