#pragma once

#include "text/catalogue.hpp"

namespace scoville::text {

enum class ShapesMsg : std::uint32_t {
#define SCOVILLE_MESSAGE(key, english, chinese) key,
#include "text/catalogue/shapes.inc"
#undef SCOVILLE_MESSAGE
};

template <>
inline constexpr std::uint32_t kAreaOf<ShapesMsg> = 16;

}  // namespace scoville::text
