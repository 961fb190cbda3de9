#include "text/catalogue.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace scoville::text {
namespace {

/// The places of a sentence, sorted and without their format: "{0} of {1:.2f}" → {"0", "1"}.
std::vector<std::string> places(std::string_view sentence) {
  std::vector<std::string> found;
  for (std::size_t i = 0; i < sentence.size(); ++i) {
    if (sentence[i] != '{') continue;
    if (i + 1 < sentence.size() && sentence[i + 1] == '{') {
      ++i;
      continue;
    }
    const std::size_t end = sentence.find_first_of(":}", i);
    found.emplace_back(sentence.substr(i + 1, end - i - 1));
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace

TEST_CASE("every sentence has both sides, with the same numbered places") {
  for (std::size_t i = 0; i < message_count(); ++i) {
    const Msg key = Msg::nth(i);
    CAPTURE(name_of(key));
    const auto english = raw(key, Language::english), chinese = raw(key, Language::chinese);
    CHECK_FALSE(english.empty());
    CHECK_FALSE(chinese.empty());
    CHECK(places(english) == places(chinese));
    for (const std::string& place : places(english)) CHECK_FALSE(place.empty());  // numbered, so that words may move
  }
}

TEST_CASE("the English side holds no Chinese; the Chinese side is translated unless it is a bare name") {
  const auto has_han = [](std::string_view s) {  // U+3000…U+9FFF and U+FF00…: three bytes led by E3…E9 or EF
    return std::any_of(s.begin(), s.end(), [](char c) {
      const auto byte = static_cast<unsigned char>(c);
      return (byte >= 0xE3 && byte <= 0xE9) || byte == 0xEF;
    });
  };
  for (std::size_t i = 0; i < message_count(); ++i) {
    const Msg key = Msg::nth(i);
    CAPTURE(name_of(key));
    const auto english = raw(key, Language::english), chinese = raw(key, Language::chinese);
    CHECK_FALSE(has_han(english));
    const bool is_bare_name = english == chinese && english.find(' ') == std::string_view::npos;
    CHECK((has_han(chinese) || is_bare_name));
  }
}

TEST_CASE("the language follows --lang or LANG") {
  CHECK(language_from("zh") == Language::chinese);
  CHECK(language_from("zh_CN.UTF-8") == Language::chinese);
  CHECK(language_from("en_US.UTF-8") == Language::english);
  CHECK(language_from("C") == Language::english);
  CHECK(language_from("") == Language::english);
}

}  // namespace scoville::text
