#pragma once

#include "text/catalogue.hpp"

namespace scoville::text {

enum class CostMsg : std::uint32_t {
#define SCOVILLE_MESSAGE(key, english, chinese) key,
#include "text/catalogue/cost.inc"
#undef SCOVILLE_MESSAGE
};

template <>
inline constexpr std::uint32_t kAreaOf<CostMsg> = 2;

}  // namespace scoville::text
