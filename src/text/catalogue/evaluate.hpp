#pragma once

#include "text/catalogue.hpp"

namespace scoville::text {

enum class EvaluateMsg : std::uint32_t {
#define SCOVILLE_MESSAGE(key, english, chinese) key,
#include "text/catalogue/evaluate.inc"
#undef SCOVILLE_MESSAGE
};

template <>
inline constexpr std::uint32_t kAreaOf<EvaluateMsg> = 6;

}  // namespace scoville::text
