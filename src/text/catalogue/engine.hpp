#pragma once

#include "text/catalogue.hpp"

namespace scoville::text {

enum class EngineMsg : std::uint32_t {
#define SCOVILLE_MESSAGE(key, english, chinese) key,
#include "text/catalogue/engine.inc"
#undef SCOVILLE_MESSAGE
};

template <>
inline constexpr std::uint32_t kAreaOf<EngineMsg> = 14;

}  // namespace scoville::text
