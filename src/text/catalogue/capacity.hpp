#pragma once

#include "text/catalogue.hpp"

namespace scoville::text {

enum class CapacityMsg : std::uint32_t {
#define SCOVILLE_MESSAGE(key, english, chinese) key,
#include "text/catalogue/capacity.inc"
#undef SCOVILLE_MESSAGE
};

template <>
inline constexpr std::uint32_t kAreaOf<CapacityMsg> = 17;

}  // namespace scoville::text
