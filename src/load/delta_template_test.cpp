#include "load/delta_template.hpp"

#include <doctest/doctest.h>

#include "base/json.hpp"
#include "base/rng.hpp"
#include "load/dialects.hpp"

namespace scoville::load {
namespace {

std::string frame_of(const std::string& json_text, const std::string& emit = "") {
  return R"({"id":"c-1","choices":[{"index":0,"delta":{"content":)" + json_text + R"(},"finish_reason":null}])" +
         (emit.empty() ? "" : R"(,"emit_ns":)" + emit) + "}";
}

/// What a template learnt from `first` (whose text is "hello") says about `frame`: its text, or "-" for no match.
std::string matched(const std::string& first, const std::string& frame, std::optional<std::int64_t> emit_ns = {}) {
  DeltaTemplate known;
  known.learn(first, "hello", emit_ns);
  std::optional<std::int64_t> emit;
  const auto text = known.match(frame, emit);
  return text ? std::string(*text) : "-";
}

const std::string kHello = frame_of(R"("hello")");

}  // namespace

TEST_CASE("a frame that differs in its text alone is recognised") {
  CHECK(matched(kHello, frame_of(R"("world")")) == "world");
  CHECK(matched(kHello, frame_of(R"(" \u00fc")")) == "-");  // an escape: only a parser knows its text
  CHECK(matched(kHello, frame_of("\" \xC3\xBC\"")) == " \xC3\xBC");
  CHECK(matched(R"({"text": "hello"})", R"({"text": "world"})") == "world");
}

TEST_CASE("whatever else differs goes to the parser") {
  for (const std::string& frame :
       {frame_of(R"("")"),                        // no token event
        frame_of(R"("a\"b")"), frame_of("null"),  // not plain text
        frame_of("\"a\xFF\""), frame_of("\"a\tb\""),
        std::string(R"({"id":"c-2","choices":[{"index":0,"delta":{"content":"x"},"finish_reason":null}]})"),
        std::string(R"({"id":"c-1","choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"stop"}]})"),
        std::string(R"({"id":"c-1","choices":[{"index":1,"delta":{"content":"x"},"finish_reason":null}]})"),
        frame_of(R"("x","role":"assistant")"),  // one key more
        frame_of(R"("x")") + " ", frame_of(R"("x")", "12"), std::string("{}"), std::string()}) {
    CAPTURE(frame);
    CHECK(matched(kHello, frame) == "-");
  }
}

TEST_CASE("the digits of emit_ns may differ, anything else in their place may not") {
  const std::string first = frame_of(R"("hello")", "1000");
  const auto emit_of = [&](const std::string& emit) {
    DeltaTemplate known;
    known.learn(first, "hello", 1000);
    std::optional<std::int64_t> read;
    return known.match(frame_of(R"("x")", emit), read) ? read : std::nullopt;
  };
  CHECK(emit_of("999999999999999999") == 999999999999999999);
  CHECK(emit_of("7") == 7);
  for (const char* other : {"1e3", "1.5", "\"7\"", "null", "07", "99999999999999999999", "7 "}) {
    CAPTURE(other);
    CHECK_FALSE(emit_of(other).has_value());
  }
  CHECK(matched(first, frame_of(R"("x")"), 1000) == "-");  // the hole is gone
  CHECK(matched(frame_of(R"("hello")", "null"), frame_of(R"("x")", "null")) ==
        "-");  // digits that the parser did not see
}

TEST_CASE("nothing is learnt where the text does not stand once, plain, under a key that holds text") {
  const auto learns = [](const std::string& frame) { return matched(frame, frame) != "-"; };
  CHECK(learns(kHello));
  CHECK_FALSE(learns(R"({"role":"hello","content":"hello"})"));
  CHECK_FALSE(learns(R"({"reasoning_content":"hello"})"));
  CHECK_FALSE(learns(R"({"name":"hello"})"));
  CHECK_FALSE(learns(R"({"content":"hell\u006f"})"));
  CHECK_FALSE(learns(R"({"content":"other"})"));
}

TEST_CASE("a template that was forgotten, or met a frame it could not learn, matches nothing") {
  DeltaTemplate known;
  std::optional<std::int64_t> emit;
  known.learn(kHello, "hello", std::nullopt);
  known.forget();
  CHECK_FALSE(known.match(kHello, emit).has_value());
  known.learn(kHello, "hello", std::nullopt);
  known.learn(kHello, "", std::nullopt);
  CHECK_FALSE(known.match(kHello, emit).has_value());
}

TEST_CASE("whatever matches has just what the parser would have read") {
  const auto dialect = make_openai_chat();
  JsonReader reader;
  Chunk chunk;
  Rng rng(5);
  const std::string_view pieces[] = {
      "a",   " ",  "\xC3\xA9", "\xE6\xB5\x8B", "\\n",  "\\\"",          "\\u00e9", "\\ud83d", "\"",
      "\"}", "\\", "\n",       "\xFF",         "\xC3", ",\"role\":\"x", "{",       "hello",   "emit_ns"};
  DeltaTemplate known;
  known.learn(frame_of(R"("hello")", "1000"), "hello", 1000);
  int matches = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    // Half of the rounds keep to the plain pieces in front, so that matches are many.
    const std::uint64_t kinds = round % 2 ? 4 : std::size(pieces);
    for (std::uint64_t i = rng.below(6); i > 0; --i) text += pieces[rng.below(kinds)];
    const std::string frame = frame_of('"' + text + '"', std::to_string(rng.below(3) ? rng() >> 1 : rng.below(10)));
    std::optional<std::int64_t> emit;
    const auto plain = known.match(frame, emit);
    if (!plain) continue;
    ++matches;
    CAPTURE(frame);
    const std::string padded = frame + std::string(64, ' ');
    const auto json = reader.read(std::string_view(padded).substr(0, frame.size()));
    REQUIRE(json.has_value());
    CHECK_FALSE(reader.was_nonstandard());
    dialect->interpret(*json, chunk);
    REQUIRE(chunk.choices.size() == 1);
    const ChoiceDelta& delta = chunk.choices.front();
    CHECK(delta.answer == *plain);
    CHECK(chunk.emit_ns == emit);
    CHECK(delta.has_token);
    CHECK(delta.reasoning.empty());
    CHECK(delta.exact_tokens == -1);
    CHECK_FALSE(delta.has_finish);
    CHECK_FALSE(chunk.is_error);
  }
  CHECK(matches > 5000);  // of the 10,000 plain rounds, all but the empty ones and those with a one-digit 0
}

}  // namespace scoville::load
