#include "dataset/vocabulary.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

namespace scoville::dataset {

TEST_CASE("the vocabulary has 512 distinct lower-case words without blanks") {
  const auto words = vocabulary();
  CHECK(words.size() == 512);
  CHECK(std::set<std::string_view>(words.begin(), words.end()).size() == words.size());
  for (const std::string_view word : words) {
    CHECK(word.size() >= 2);
    CHECK(std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; }));
  }
}

}  // namespace scoville::dataset
