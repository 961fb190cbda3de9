#include "trace/byte_source.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace scoville::trace {
namespace {

std::vector<std::string> lines_of(std::string_view text) {
  const auto source = source_of(text);
  LineReader reader(*source);
  std::vector<std::string> out;
  std::string_view line;
  while (*reader.next(line)) out.emplace_back(line);
  return out;
}

TEST_CASE("lines end with a line feed, a carriage return before it, or the file") {
  CHECK(lines_of("\xEF\xBB\xBF"
                 "a\r\n\nb") == std::vector<std::string>{"a", "", "b"});
  CHECK(lines_of("").empty());
}

TEST_CASE("a line above its bound is cut, and the next one is whole") {
  const std::string text = std::string(5 << 20, 'x') + "\nnext\n" + std::string(100000, 'y') + "\nlast";
  const auto lines = lines_of(text);
  REQUIRE(lines.size() == 4);
  CHECK(lines[0].size() == 1 << 20);
  CHECK(lines[1] == "next");
  CHECK(lines[2].size() == 100000);
  CHECK(lines[3] == "last");
}

TEST_CASE("a file that is not there says so") {
  CHECK(open_source("/nonexistent/trace").error().code == ErrorCode::not_found);
}

}  // namespace
}  // namespace scoville::trace
