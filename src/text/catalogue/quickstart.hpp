#pragma once

#include "text/catalogue.hpp"

namespace scoville::text {

enum class QuickstartMsg : std::uint32_t {
#define SCOVILLE_MESSAGE(key, english, chinese) key,
#include "text/catalogue/quickstart.inc"
#undef SCOVILLE_MESSAGE
};

template <>
inline constexpr std::uint32_t kAreaOf<QuickstartMsg> = 19;

}  // namespace scoville::text
