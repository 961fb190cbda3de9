#pragma once

#include <string>

#include "text/catalogue.hpp"

namespace scoville::dataset {

/// A reason to doubt a figure: a code for machines and a sentence for people.
struct Warning {
  std::string code;
  text::Phrase sentence;
};

template <class... Args>
Warning make_warning(std::string code, text::Msg key, const Args&... args) {
  return {std::move(code), text::phrase(key, args...)};
}

}  // namespace scoville::dataset
