#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "portability/language.hpp"
#include "portability/masking.hpp"
#include "portability/pattern.hpp"

namespace scoville::portability {

/// One line of a source.
struct SourceLine {
  Language language = Language::python;
  std::string_view name, text;  ///< of the file, without folders; all of it
  std::size_t begin = 0, end = 0;
};

/// What a place in this line is, as rules ask for it: Where, added up. 0: nothing that counts.
std::uint8_t where_of(const SourceLine& line, Part part);

/// Whether a span of a line of YAML is something that is used: a key, a variable that is set, a whole value, a part of
/// a command. Other values merely speak of it. Of `line` as bytes from its begin.
bool is_used_in_yaml(std::string_view line, const Span& span);

}  // namespace scoville::portability
