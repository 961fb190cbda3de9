#pragma once

#include <string>

#include "text/catalogue.hpp"

namespace scoville::dataset {

/// A reason to doubt a figure: a code for machines, a sentence in the reader's language, and the same in English.
struct Warning {
  std::string code;
  std::string message;
  std::string english;
};

template <class... Args>
Warning make_warning(std::string code, text::Msg key, const Args&... args) {
  return {std::move(code), text::say(key, args...), text::say_in(text::Language::english, key, args...)};
}

}  // namespace scoville::dataset
