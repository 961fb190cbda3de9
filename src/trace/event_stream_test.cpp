#include "trace/event_stream.hpp"

#include <doctest/doctest.h>

namespace scoville::trace {
namespace {

struct Seen {
  std::vector<std::string> names;
  StreamFaults faults;
  std::string error;
};

Seen read(std::string_view text) {
  const auto source = source_of(text);
  EventStream stream(*source);
  Seen seen;
  if (Status opened = stream.open(); !opened) {
    seen.error = opened.error().message;
    return seen;
  }
  TraceEvent event;
  for (;;) {
    Result<bool> more = stream.next(event);
    REQUIRE(more.ok());
    if (!*more) break;
    seen.names.push_back(unescaped(event.name));
  }
  seen.faults = stream.faults();
  return seen;
}

using List = std::vector<std::string>;

TEST_CASE("events are found in each form that a trace has") {
  CHECK(read(R"([{"name":"a"},{"name":"b"}])").names == List{"a", "b"});
  CHECK(read(R"({"schemaVersion":1,"x":{"y":["}"]},"traceEvents":[{"name":"a"}],"z":1})").names == List{"a"});
  CHECK(read(R"({"traceEvents":{"other":[1,2],"traceEvents":[{"name":"a"}]}})").names == List{"a"});
  CHECK(read("{\"ph\":\"X\",\"name\":\"a\"}\n{\"name\":\"b\"}\n").names == List{"a", "b"});
  CHECK(read("\xEF\xBB\xBF \n[{\"name\":\"a\"}]").names == List{"a"});
  CHECK(read("[]").names.empty());
}

TEST_CASE("an object where a list is due is an error that says where") {
  CHECK(read(R"({"traceEvents":{"a":1}})").error.find("byte 21") == 0);
  CHECK(read(R"({"traceEvents":{"traceEvents":{"traceEvents":[]}}})").error.find("a list of events") !=
        std::string::npos);
  CHECK(read(R"({"schemaVersion":1})").error.find("traceEvents") != std::string::npos);
  CHECK(read("7").error.find("byte 0") == 0);
}

TEST_CASE("a file that ends anywhere gives what was whole, and says that it ended") {
  const std::string text = R"([{"name":"a"},{"name":"b","args":{"x":[1,2,"y]}"]}}])";
  for (std::size_t size = 1; size < text.size(); ++size) {
    const Seen seen = read(std::string_view(text).substr(0, size));
    const std::size_t whole = size < 13 ? 0 : size < text.size() - 1 ? 1 : 2;
    CAPTURE(size);
    CHECK(seen.names.size() == whole);
    const bool is_cut_inside = (size > 1 && size < 13) || (size > 14 && size < text.size() - 1);
    CHECK(seen.faults.cut_at.has_value() == is_cut_inside);
    CHECK(seen.faults.is_unclosed == !is_cut_inside);
  }
  CHECK(read(text.substr(0, 20)).faults.cut_at == 14);
}

TEST_CASE("what strict readers refuse is taken and told of") {
  for (const char* text :
       {R"([,{"name":"a"}])", R"([{"name":"a"},])", R"([{"name":"a",}])", R"([{"name":"a","dur":NaN}])",
        R"([{"name":"a","args":{"x":[Infinity]}}])", R"([{"name":"a","args":{"x":-Infinity}}])"}) {
    CAPTURE(text);
    const Seen seen = read(text);
    CHECK(seen.names == List{"a"});
    CHECK(seen.faults.is_nonstandard);
  }
  CHECK(read(R"([{"name":"a"},,{"name":"b"}])").names == List{"a", "b"});
  CHECK_FALSE(read(R"([{"name":"NaN, Infinity","args":{"x":["N"],"y":null}}])").faults.is_nonstandard);
}

TEST_CASE("bytes that are no event end the reading with their place") {
  const Seen seen = read(R"([{"name":"a"}, oops, {"name":"b"}])");
  CHECK(seen.names == List{"a"});
  CHECK(seen.faults.damaged_at == 15);
  CHECK(read(R"([{"name":"a"},{name:"b"}])").faults.damaged_at == 14);
}

TEST_CASE("escapes are undone, and no quote within a name ends it") {
  CHECK(read(R"([{"name":"a\"b\\"},{"name":"\u00e9\/\n\ud83d"}])").names == List{"a\"b\\", "é/\n\xEF\xBF\xBD"});
}

TEST_CASE("events across the blocks of the file are whole, and one above all bounds is damage") {
  std::string text = "[";
  for (int i = 0; i < 20000; ++i)
    text += R"({"name":"op )" + std::to_string(i) + R"(","args":{"pad":"xxxxxxxxxxxxxx"}},)";
  text.back() = ']';
  const Seen seen = read(text);
  REQUIRE(seen.names.size() == 20000);
  CHECK(seen.names[19999] == "op 19999");
  CHECK_FALSE(seen.faults.is_nonstandard);
  CHECK(read("[{\"name\":\"" + std::string(17 << 20, 'x') + "\"}]").faults.damaged_at == 1);
}

TEST_CASE("the names of devices are taken from the head") {
  const auto source = source_of(
      R"({"deviceProperties":[{"id":0,"name":"NVIDIA H200"},{"id":1,"name":"NVIDIA H200"}],"traceEvents":[]})");
  EventStream stream(*source);
  REQUIRE(stream.open().ok());
  CHECK(stream.devices() == List{"NVIDIA H200"});
}

TEST_CASE("times are whole nanoseconds, from numbers and from texts") {
  const auto source = source_of(R"([{"ts":"1736071200000000.125","dur":"10.5"},{"ts":1.5e3,"dur":-2},{"ts":"x"}])");
  EventStream stream(*source);
  REQUIRE(stream.open().ok());
  TraceEvent event;
  REQUIRE(*stream.next(event));
  CHECK(event.at_ns == 1736071200000000125);
  CHECK(event.for_ns == 10500);
  REQUIRE(*stream.next(event));
  CHECK(event.at_ns == 1500000);
  CHECK(event.for_ns == -2000);
  REQUIRE(*stream.next(event));
  CHECK_FALSE(event.at_ns);
}

}  // namespace
}  // namespace scoville::trace
