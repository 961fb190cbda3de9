#include "portability/words.hpp"

#include <doctest/doctest.h>

namespace scoville::portability {

TEST_CASE("every occurrence of every word is found, overlapping ones and one within another too") {
  const Words words({"he", "she", "hers", "cuda"});  // the example of Aho and Corasick
  std::vector<Words::Hit> hits;
  words.find("ushers, cudcuda", hits);
  REQUIRE(hits.size() == 4);
  CHECK((hits[0].begin == 1 && hits[0].word == 1));
  CHECK((hits[1].begin == 2 && hits[1].word == 0));
  CHECK((hits[2].begin == 2 && hits[2].word == 2));
  CHECK((hits[3].begin == 11 && hits[3].word == 3));
}

}  // namespace scoville::portability
