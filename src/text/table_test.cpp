#include "text/table.hpp"

#include <doctest/doctest.h>

#include "text/width.hpp"

namespace scoville::text {

TEST_CASE("double-width characters count two columns, combining marks none") {
  CHECK(display_width("TTFT") == 4);
  CHECK(display_width("首 token") == 8);
  CHECK(display_width("µs") == 2);
  CHECK(display_width("e\u0301") == 1);
  CHECK(display_width("，") == 2);
  CHECK(display_width("\xff") == 1);
}

TEST_CASE("a table aligns its columns whatever the script") {
  Table table({"指标", "P50"});
  table.add_row({"TTFT", "50.1 ms"});
  table.add_row({"吞吐量", "9"});
  CHECK(table.render() ==
        "  指标        P50\n"
        "  ───────────────\n"
        "  TTFT    50.1 ms\n"
        "  吞吐量        9\n");
}

TEST_CASE("a column of words is flush left when asked") {
  Table table({"a", "b"});
  table.flush_left(1);
  table.add_row({"x", "long words"});
  table.add_row({"y", "z"});
  CHECK(table.render() == "  a  b\n  ─────────────\n  x  long words\n  y  z\n");
}

TEST_CASE("a text is shortened by columns, not by bytes") {
  CHECK(shorten("abc", 3) == "abc");
  CHECK(shorten("abcd", 3) == "ab…");
  CHECK(shorten("首字延迟", 5) == "首字…");
}

TEST_CASE("a sentence is broken at its blanks, Chinese anywhere but before a closing mark") {
  CHECK(wrapped("one two three", 7, 2) == "one two\n  three\n");
  CHECK(wrapped("! one two", 5, 2) == "! one\n  two\n");
  CHECK(wrapped("unbreakable", 4, 0) == "unbreakable\n");
  CHECK(wrapped("首个请求，很慢", 8, 0) == "首个请\n求，很慢\n");
  CHECK(wrapped("", 10, 0) == "\n");
}

}  // namespace scoville::text
