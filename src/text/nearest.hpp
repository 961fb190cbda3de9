#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace scoville::text {

/// Letters to insert, drop or replace between two words (Levenshtein).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known word that differs from `word` by two letters at most; empty if there is none.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

}  // namespace scoville::text
