#pragma once

#include <string>
#include <string_view>

#include "base/json.hpp"

namespace scoville::environment {

/// Bytes that are no UTF-8 (RFC 3629: overlong forms and surrogates neither) become U+FFFD, each its own: command
/// lines, file names and labels may hold anything, a JSON file may not.
std::string as_utf8(std::string_view bytes);
/// The same for every text within.
json::value texts_as_utf8(const json::value& value);

}  // namespace scoville::environment
