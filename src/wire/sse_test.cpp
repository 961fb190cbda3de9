#include "wire/sse.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace scoville::wire {
namespace {

/// Feeds `stream` in pieces of `step` bytes, each in a buffer of its own that is wiped afterwards, as a socket would.
std::vector<std::string> frames(const std::string& stream, std::size_t step,
                                SseParser::Mode mode = SseParser::Mode::events) {
  SseParser parser;
  parser.reset(mode);
  std::vector<std::string> found;
  const auto note = [&](const Frame& frame) {
    found.push_back((frame.is_error_field ? "error|" : "") +
                    (frame.event.empty() ? "" : std::string(frame.event) + "|") + std::string(frame.data) +
                    (frame.is_terminated ? "" : "|open"));
  };
  for (std::size_t at = 0; at < stream.size(); at += step) {
    std::string piece = stream.substr(at, step);
    const std::size_t size = piece.size();
    piece.resize(size + 64, '#');
    parser.feed(std::string_view(piece.data(), size), note);
    piece.assign(piece.size(), '!');
  }
  parser.finish(note);
  return found;
}

}  // namespace

TEST_CASE("an event stream gives the same frames wherever it is split") {
  struct Example {
    std::string stream;
    std::vector<std::string> expected;
  };
  const std::vector<Example> examples{
      {"data: a\n\ndata:b\n\n", {"a", "b"}},
      {"data: a\r\n\r\ndata: b\r\n\r\n", {"a", "b"}},
      {"data: a\r\rdata: b\r\r", {"a", "b"}},
      {"data: a\n\r\ndata: b\r\n\n", {"a", "b"}},
      {": ping\n\n: x\ndata: a\n: y\n\n", {"a"}},
      {"data: {\ndata:  1\ndata: }\n\n", {"{\n 1\n}"}},
      {"event:message\ndata: a\n\ndata: b\nevent: m\n\n", {"message|a", "m|b"}},
      {"foo: bar\nid\ndata: c\n\n", {"c"}},
      {"error: {\"code\":400}\n\ndata: [DONE]\n\n", {"error|{\"code\":400}", "[DONE]"}},
      {"data:  [DONE] \t \r\n\r\n", {" [DONE] \t "}},
      {"data: a\n\ndata: last\n", {"a", "last|open"}},
      {"data: a\n\ndata: last", {"a", "last|open"}},
      {"data: : PROCESSING\n\n", {": PROCESSING"}},
      {"data\n\ndata:\ndata:\n\n", {"", "\n"}},
  };
  for (const Example& example : examples) {
    CAPTURE(example.stream);
    for (std::size_t step = 1; step <= example.stream.size(); ++step) {
      CAPTURE(step);
      CHECK(frames(example.stream, step) == example.expected);
    }
  }
}

TEST_CASE("newline-delimited JSON: one frame a line, the last one without its line feed") {
  const std::string stream = "{\"a\":1}\n\n{\"b\":2}\r\n{\"c\":3}";
  for (std::size_t step = 1; step <= stream.size(); ++step) {
    CHECK(frames(stream, step, SseParser::Mode::lines) ==
          std::vector<std::string>{"{\"a\":1}", "{\"b\":2}", "{\"c\":3}|open"});
  }
}

TEST_CASE("the carriage return of a blank line completes the event without another byte") {
  SseParser parser;
  parser.reset(SseParser::Mode::events);
  int seen = 0;
  std::string bytes = "data: a\r\r";
  bytes.reserve(bytes.size() + 64);
  parser.feed(bytes, [&](const Frame&) { ++seen; });
  CHECK(seen == 1);
}

TEST_CASE("a frame says where it ended in the bytes that were fed") {
  SseParser parser;
  parser.reset(SseParser::Mode::events);
  std::string bytes = "data: a\n\ndata: b\n\nda";
  bytes.reserve(bytes.size() + 64);
  std::vector<long> ends;
  parser.feed(bytes, [&](const Frame& frame) { ends.push_back(frame.end - bytes.data()); });
  CHECK(ends == std::vector<long>{9, 18});
  CHECK(parser.is_inside_frame());
}

TEST_CASE("an endless line is refused at 16 MiB, not read for ever") {
  SseParser parser;
  parser.reset(SseParser::Mode::events);
  std::string block(1 << 20, 'x');
  block.reserve(block.size() + 64);
  const auto ignore = [](const Frame&) {};
  for (int i = 0; i < 16; ++i) parser.feed(block, ignore);
  CHECK_FALSE(parser.is_overlong());
  parser.feed(block, ignore);
  CHECK(parser.is_overlong());
}

}  // namespace scoville::wire
