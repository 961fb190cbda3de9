#pragma once

#include "text/catalogue.hpp"

namespace scoville::text {

enum class ClaimMsg : std::uint32_t {
#define SCOVILLE_MESSAGE(key, english, chinese) key,
#include "text/catalogue/claim.inc"
#undef SCOVILLE_MESSAGE
};

template <>
inline constexpr std::uint32_t kAreaOf<ClaimMsg> = 5;

}  // namespace scoville::text
