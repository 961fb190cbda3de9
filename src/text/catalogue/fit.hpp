#pragma once

#include "text/catalogue.hpp"

namespace scoville::text {

enum class FitMsg : std::uint32_t {
#define SCOVILLE_MESSAGE(key, english, chinese) key,
#include "text/catalogue/fit.inc"
#undef SCOVILLE_MESSAGE
};

template <>
inline constexpr std::uint32_t kAreaOf<FitMsg> = 3;

}  // namespace scoville::text
