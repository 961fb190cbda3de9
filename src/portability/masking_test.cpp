#include "portability/masking.hpp"

#include <doctest/doctest.h>

namespace scoville::portability {
namespace {

// What is code, string and comment, each on its own: the rest is blank.
std::string only(Language language, std::string_view text, Part part) {
  const std::string parts = mask(language, text);
  REQUIRE(parts.size() == text.size());
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) out += parts[i] == part || text[i] == '\n' ? text[i] : ' ';
  while (out.ends_with(' ')) out.pop_back();
  return out.substr(std::min(out.find_first_not_of(' '), out.size()));
}

}  // namespace

TEST_CASE("Python: a comment ends with its line, and a # in a string begins none") {
  CHECK(only(Language::python, "a = '#x' # 'y'\nb", kComment) == "# 'y'\n");
  CHECK(only(Language::python, "a = '#x' # 'y'", kString) == "'#x'");
  CHECK(only(Language::python, "a = 'don\\'t' + b", kString) == "'don\\'t'");
  CHECK(only(Language::python, "a = r'\\' + b'", kString) == "'\\' + b'");  // as Python reads it: the quote is escaped
}

TEST_CASE("Python: a string that is a statement of its own is a comment, one that is used is not") {
  CHECK(only(Language::python, "def f():\n  '''doc\n  cuda'''\n  x = '''y'''", kComment) == "\n  '''doc\n  cuda'''\n");
  CHECK(only(Language::python, "x = '''y'''", kString) == "'''y'''");
  CHECK(only(Language::python, "f(\n'a')", kString) == "\n'a'");
}

TEST_CASE("Python: the expressions of an f-string are code, doubled braces are not") {
  CHECK(only(Language::python, "f'a{g(1)}b'", kCode) == "f  {g(1)}");
  CHECK(only(Language::python, "f'{{x}}'", kString) == "'{{x}}'");
  CHECK(only(Language::python, "f\"{d['k']}\"", kString) == "\"   'k'  \"");
}

TEST_CASE("Python: an unterminated string ends with its line") {
  CHECK(only(Language::python, "a = 'x\nb = 1", kString) == "'x\n");
}

TEST_CASE("C++: comments of both kinds, strings, raw strings, digit separators") {
  CHECK(only(Language::cpp, "a(); // \"x\"\nb", kComment) == "// \"x\"\n");
  CHECK(only(Language::cpp, "a /* b\nc */ d", kComment) == "/* b\nc */");
  CHECK(only(Language::cpp, "a = \"// no\"; b", kString) == "\"// no\"");
  CHECK(only(Language::cpp, "auto s = R\"x(a\")b)x\" + c;", kString) == "\"x(a\")b)x\"");
  CHECK(only(Language::cpp, "int n = 1'000'000; f('\"');", kString) == "'\"'");
  CHECK(only(Language::cpp, "// a \\\nb\nc", kComment) == "// a \\\nb\n");
}

TEST_CASE("shell, YAML, CMake: # begins a comment at the start of a word; quoted words are code") {
  CHECK(only(Language::shell, "a ${#x} 'b # c' # d", kComment) == "# d");
  CHECK(only(Language::shell, "don't\n# c", kComment) == "\n# c");
  CHECK(only(Language::yaml, "image: \"a#b\" # c", kComment) == "# c");
  CHECK(only(Language::cmake, "a #[[ b\n c ]] d", kComment) == "#[[ b\n c ]]");
}

}  // namespace scoville::portability
