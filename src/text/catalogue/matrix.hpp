#pragma once

#include "text/catalogue.hpp"

namespace scoville::text {

enum class MatrixMsg : std::uint32_t {
#define SCOVILLE_MESSAGE(key, english, chinese) key,
#include "text/catalogue/matrix.inc"
#undef SCOVILLE_MESSAGE
};

template <>
inline constexpr std::uint32_t kAreaOf<MatrixMsg> = 4;

}  // namespace scoville::text
