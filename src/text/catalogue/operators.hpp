#pragma once

#include "text/catalogue.hpp"

namespace scoville::text {

enum class OperatorsMsg : std::uint32_t {
#define SCOVILLE_MESSAGE(key, english, chinese) key,
#include "text/catalogue/operators.inc"
#undef SCOVILLE_MESSAGE
};

template <>
inline constexpr std::uint32_t kAreaOf<OperatorsMsg> = 11;

}  // namespace scoville::text
