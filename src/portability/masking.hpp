#pragma once

#include <string>
#include <string_view>

#include "portability/language.hpp"

namespace scoville::portability {

/// What a byte of a source belongs to.
enum Part : char { kCode = 'c', kString = 's', kComment = '#' };

/// One Part for each byte of `text`. A scanner for literals and comments, not a parser: it never fails, and an
/// unterminated literal ends with its line (a triple-quoted or raw one with the text). Bytes that are no UTF-8 pass.
///
/// Python: a string that is a statement of its own (a docstring) is a comment; the expressions within an f-string are
/// code. C and C++: raw strings and digit separators are known, the preprocessor is not run (`#if 0` is code). In
/// shell, Dockerfile, CMake, YAML, TOML and lists of packages quoted words are code: there they are what is run.
std::string mask(Language language, std::string_view text);

}  // namespace scoville::portability
