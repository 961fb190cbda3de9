#pragma once

#include <string>
#include <string_view>

namespace scoville::portability {

/// A line of a source as it can be shown and put into JSON: without the blanks around it, cut after 160 bytes, what is
/// no UTF-8 or moves a cursor replaced by "?".
std::string printable(std::string_view line);

}  // namespace scoville::portability
