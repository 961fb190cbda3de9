#pragma once

#include "text/catalogue.hpp"

namespace scoville::text {

enum class NumericsMsg : std::uint32_t {
#define SCOVILLE_MESSAGE(key, english, chinese) key,
#include "text/catalogue/numerics.inc"
#undef SCOVILLE_MESSAGE
};

template <>
inline constexpr std::uint32_t kAreaOf<NumericsMsg> = 12;

}  // namespace scoville::text
