#include "launch/log_tail.hpp"

#include <doctest/doctest.h>

#include "launch/made_file.hpp"

using namespace scoville;
using Lines = std::vector<std::string>;

TEST_CASE("the last lines of a log are had without reading all of it") {
  const launch::MadeFile log;
  std::string text;
  for (int i = 0; i < 300000; ++i) text += "line " + std::to_string(i) + "\n";
  log.write(text);
  CHECK(launch::last_lines(log.path(), 0, 2) == Lines{"line 299998", "line 299999"});
  CHECK(launch::last_lines(log.path(), 0, 100000).size() < 10000);                // of 64 KiB, not of 3 MiB
  CHECK(launch::last_lines(log.path(), 0, 100000).front().starts_with("line "));  // and no half of one
}

TEST_CASE("only what was written since the engine was started is told") {
  const launch::MadeFile log;
  log.write("of the engine before\nmine\nlast, without an end");
  CHECK(launch::last_lines(log.path(), 21) == Lines{"mine", "last, without an end"});
  CHECK(launch::last_lines(log.path(), 1000).empty());
  CHECK(launch::last_lines(log.path() + ".none").empty());
}

TEST_CASE("a line moves no cursor, sets no colour and is UTF-8") {
  const launch::MadeFile log;
  log.write("\x1b[31mred\x1b[0m\n10 %\r20 %\r\n\n\xff\xe4\xb8\xad\xe5\n" + std::string(2000, 'x') + "\n");
  const Lines lines = launch::last_lines(log.path());
  REQUIRE(lines.size() == 5);
  CHECK(Lines(lines.begin(), lines.begin() + 4) == Lines{"red", "10 %", "20 %", "?\xe4\xb8\xad?"});
  CHECK(lines[4].size() == 500);
}

TEST_CASE("an engine's own words on an argument are found before its other lines") {
  // As argparse, llama.cpp, click and gflags say it.
  const Lines refusals{"vllm: error: unrecognized arguments: --fo", "error: invalid argument: --fo",
                       "Error: No such option: --fo", "ERROR: unknown command line flag 'fo'"};
  for (const std::string& words : refusals)
    CHECK(launch::telling_line({"usage: …", words, "Try 'x --help' for help.", "bye"}) == words);
  CHECK(launch::telling_line({"a", "RuntimeError: CUDA out of memory", "b"}) == "RuntimeError: CUDA out of memory");
  CHECK(launch::telling_line({"a", "b"}) == "b");
  CHECK(launch::telling_line({}) == "");
}
