#include "environment/utf8.hpp"

#include <doctest/doctest.h>

using namespace scoville;
using environment::as_utf8;

TEST_CASE("what is UTF-8 stays, each byte that is none becomes U+FFFD") {
  const std::string good = "a\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x98\x80";  // a, é, 中, an emoji
  CHECK(as_utf8(good) == good);
  const std::string mark = "\xEF\xBF\xBD";
  CHECK(as_utf8("a\xFFz") == "a" + mark + "z");
  CHECK(as_utf8("\xC0\x80") == mark + mark);                        // overlong
  CHECK(as_utf8("\xED\xA0\x80") == mark + mark + mark);             // a surrogate
  CHECK(as_utf8("\xF4\x90\x80\x80") == mark + mark + mark + mark);  // beyond U+10FFFF
  CHECK(as_utf8("\xE4\xB8") == mark + mark);                        // cut off
}

TEST_CASE("texts deep within a value are mended, numbers stay") {
  const json::value bad{{"k", json::array{json::string("\xFF"), 1}}};
  CHECK(environment::texts_as_utf8(bad) == json::value{{"k", json::array{json::string("\xEF\xBF\xBD"), 1}}});
}
