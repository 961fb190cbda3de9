#pragma once

#include <memory>
#include <string>
#include <vector>

#include "correctness/matcher.hpp"

namespace scoville::correctness {

/// Perl's syntax, which holds ECMAScript's, searched anywhere in the bytes of the answer (Boost.Regex: std::regex
/// recurses once a character and overflows its stack on long answers). A search that would take too long is ended:
/// Match::too_complex. Only the last 16 KiB of an answer are searched. Apart, because the library's header is slow to
/// compile.
Result<std::unique_ptr<Matcher>> make_regex_matcher(const std::vector<std::string>& patterns);

}  // namespace scoville::correctness
