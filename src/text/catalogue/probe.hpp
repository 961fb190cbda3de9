#pragma once

#include "text/catalogue.hpp"

namespace scoville::text {

enum class ProbeMsg : std::uint32_t {
#define SCOVILLE_MESSAGE(key, english, chinese) key,
#include "text/catalogue/probe.inc"
#undef SCOVILLE_MESSAGE
};

template <>
inline constexpr std::uint32_t kAreaOf<ProbeMsg> = 9;

}  // namespace scoville::text
