#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace scoville::endpoint {

/// The scripted tokenizer: a token is a run of characters other than blank, tab and line ends.
std::uint64_t count_words(std::string_view text);

/// Appends tokens `first` … `first + count - 1` of an answer: words of four letters, a blank before each but token 0,
/// the same for the same `seed`.
void append_words(std::string& out, std::uint64_t seed, std::uint64_t first, std::uint64_t count);

/// The bytes that append_words would append.
constexpr std::uint64_t words_size(std::uint64_t first, std::uint64_t count) {
  return 5 * count - (first == 0 && count > 0 ? 1 : 0);
}

/// A made-up token id of a word, the same for the same word.
std::uint64_t token_id(std::string_view word);

/// Calls `each` with every word of `text`.
template <class Each>
void for_each_word(std::string_view text, Each each) {
  constexpr std::string_view kBlanks = " \t\r\n\f\v";
  for (std::size_t begin = text.find_first_not_of(kBlanks); begin != std::string_view::npos;) {
    const std::size_t end = text.find_first_of(kBlanks, begin);
    each(text.substr(begin, end - begin));
    begin = end == std::string_view::npos ? end : text.find_first_not_of(kBlanks, end);
  }
}

}  // namespace scoville::endpoint
