#pragma once

#include "text/catalogue.hpp"

namespace scoville::text {

enum class DeviceMsg : std::uint32_t {
#define SCOVILLE_MESSAGE(key, english, chinese) key,
#include "text/catalogue/device.inc"
#undef SCOVILLE_MESSAGE
};

template <>
inline constexpr std::uint32_t kAreaOf<DeviceMsg> = 15;

}  // namespace scoville::text
