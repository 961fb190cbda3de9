#pragma once

#include <string>
#include <string_view>

namespace scoville::text {

/// Terminal columns that a UTF-8 text takes: East Asian wide and full-width characters count 2 (Unicode TR 11),
/// combining marks 0. A byte that is no UTF-8 counts 1.
std::size_t display_width(std::string_view text);

/// Padded with blanks to `width` columns; a longer text stays as it is.
std::string pad_right(std::string_view text, std::size_t width);
std::string pad_left(std::string_view text, std::size_t width);

/// Cut to at most `width` columns, "…" in place of what was cut.
std::string shorten(std::string_view text, std::size_t width);

/// In lines of at most `width` columns, broken at blanks, or between wide characters, which need none; each line after
/// the first is indented. Ends with a line feed. A word longer than a line stays whole.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);

}  // namespace scoville::text
