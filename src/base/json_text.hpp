#pragma once

#include <string>
#include <string_view>

#include "base/json.hpp"

namespace scoville {

/// The text under `key`; `fallback` where there is none, or something that is no text.
inline std::string text_in(const json::object& object, std::string_view key, std::string fallback = "") {
  const json::value* const value = object.if_contains(key);
  return value && value->is_string() ? std::string(value->as_string()) : fallback;
}

}  // namespace scoville
