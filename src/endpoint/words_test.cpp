#include "endpoint/words.hpp"

#include <doctest/doctest.h>

namespace scoville::endpoint {

TEST_CASE("a token is a run of non-blank characters") {
  CHECK(count_words("") == 0);
  CHECK(count_words(" \n\t ") == 0);
  CHECK(count_words("one") == 1);
  CHECK(count_words("  one, two\n\nthree\t四 ") == 4);
}

TEST_CASE("counting and walking agree") {
  for (const char* text : {"", "  a  b c ", "a", "a b\r\nc\vd\fe ", "\n"}) {
    std::uint64_t walked = 0;
    for_each_word(text, [&](std::string_view word) { walked += !word.empty(); });
    CHECK(walked == count_words(text));
  }
}

TEST_CASE("an answer has one word per token, wherever its events are cut") {
  std::string whole, pieces;
  append_words(whole, 42, 0, 10);
  for (std::uint64_t token = 0; token < 10; token += 2) {
    const std::size_t before = pieces.size();
    append_words(pieces, 42, token, 2);
    CHECK(pieces.size() - before == words_size(token, 2));
  }
  CHECK(whole == pieces);
  CHECK(count_words(whole) == 10);
  CHECK(whole.size() == 49);
  std::string other;
  append_words(other, 43, 0, 10);
  CHECK(other != whole);
}

TEST_CASE("a word keeps its token id") {
  CHECK(token_id("word") == token_id("word"));
  CHECK(token_id("word") != token_id("Word"));
}

}  // namespace scoville::endpoint
