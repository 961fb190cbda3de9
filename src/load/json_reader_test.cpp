#include "load/json_reader.hpp"

#include <doctest/doctest.h>

#include "base/rng.hpp"

namespace scoville::load {
namespace {

/// A frame with the readable bytes behind it that JsonReader asks for.
struct Padded {
  explicit Padded(std::string_view given) : size(given.size()), bytes(given) {
    bytes.append(simdjson::SIMDJSON_PADDING, 'x');
  }
  operator std::string_view() const { return std::string_view(bytes).substr(0, size); }  // NOLINT: that is its use
  std::size_t size;
  std::string bytes;
};

/// Member "t" of `frame` as text, with what the reader thought of it; "refused" if it is not JSON.
std::string text_of(std::string_view frame, bool is_nonstandard = false) {
  JsonReader reader;
  const Padded padded(frame);
  const auto json = reader.read(padded);
  if (!json) return "refused";
  CHECK(reader.was_nonstandard() == is_nonstandard);
  return std::string(text_at(json->get_object().value(), "t").value_or("no text"));
}

constexpr const char* kUnknown = "\xEF\xBF\xBD";  // U+FFFD

}  // namespace

TEST_CASE("halves of surrogate pairs become U+FFFD, whole pairs stay") {
  CHECK(text_of(R"({"t":"a\ud83d"})") == std::string("a") + kUnknown);
  CHECK(text_of(R"({"t":"\uDE00b"})") == kUnknown + std::string("b"));
  CHECK(text_of(R"({"t":"\ud83d\ud83d\ude00"})") == kUnknown + std::string("\xF0\x9F\x98\x80"));
  CHECK(text_of(R"({"t":"\ud83d\ude00"})") == "\xF0\x9F\x98\x80");
  CHECK(text_of(R"({"t":"\\ud83d"})") == R"(\ud83d)");  // a backslash and letters, no escape
}

TEST_CASE("NaN and Infinity become null and are reported, inside a string they are words") {
  for (const char* word : {"NaN", "Infinity", "-Infinity", "nan", "-inf"}) {
    CAPTURE(word);
    CHECK(text_of(std::string(R"({"logprob":)") + word + R"(,"t":"a"})", true) == "a");
    CHECK(text_of(std::string(R"({"t":")") + word + R"("})") == word);
  }
  CHECK(text_of(R"({"x":NaN,"t":"NaN"})", true) == "NaN");
  CHECK(text_of(R"({"t":"a","x":NaNa})") == "refused");
}

TEST_CASE("bytes that are no UTF-8 become U+FFFD, and the rest of the text is kept") {
  CHECK(text_of("{\"t\":\"a\xFFz\"}", true) == std::string("a") + kUnknown + "z");
  CHECK(text_of("{\"t\":\"\xE2\x82\"}", true) == std::string(kUnknown) + kUnknown);                // a cut euro sign
  CHECK(text_of("{\"t\":\"\xC0\x80\"}", true) == std::string(kUnknown) + kUnknown);                // an overlong 0
  CHECK(text_of("{\"t\":\"\xE2\x82\xAC \xF0\x9F\x98\x80\"}") == "\xE2\x82\xAC \xF0\x9F\x98\x80");  // sound ones
}

TEST_CASE("a torn frame stays malformed, wherever it is cut") {
  const std::string whole = R"({"choices":[{"index":0,"delta":{"content":"\ud83d"},"logprob":NaN}]})";
  for (std::size_t cut = 0; cut < whole.size(); ++cut) {
    CAPTURE(cut);
    CHECK(text_of(whole.substr(0, cut)) == "refused");
  }
  CHECK(text_of(whole, true) == "no text");
}

TEST_CASE("what is no JSON at all is refused") {
  for (const char* frame :
       {"", " ", "ping", "<html>NaN</html>", "data: {}", "{\"t\":}", "{\"t\":\"a\"}}", "{'t':'a'}"}) {
    CAPTURE(frame);
    CHECK(text_of(frame) == "refused");
  }
}

TEST_CASE("random bytes are read or refused, never more") {
  Rng rng(11);
  const std::string letters = "{}[]\":,\\udD83eNa-Inf0 \xFF\xE2\x82";
  for (int round = 0; round < 20000; ++round) {
    std::string frame = R"({"t":")";
    for (std::uint64_t i = rng.below(12); i > 0; --i) frame += letters[rng.below(letters.size())];
    frame += R"("})";
    JsonReader reader;
    const Padded padded(frame);
    const auto json = reader.read(padded);
    if (!json || !json->is_object()) continue;
    const auto text = text_at(json->get_object().value(), "t");
    if (text) CHECK(simdjson::validate_utf8(text->data(), text->size()));
  }
}

TEST_CASE("a member is its type or missing; whole numbers may be written as decimals") {
  JsonReader reader;
  const Padded padded(
      R"({"i":12,"d":12.0,"f":12.5,"huge":1e300,"big":18446744073709551615,"s":"x","n":null,"o":{},"a":[1]})");
  const JsonObject object = reader.read(padded)->get_object().value();
  CHECK(integer_at(object, "i") == 12);
  CHECK(integer_at(object, "d") == 12);
  for (const char* key : {"f", "huge", "big", "s", "n", "o", "a", "none"})
    CHECK_FALSE(integer_at(object, key).has_value());
  CHECK(number_at(object, "i") == 12.0);
  CHECK_FALSE(text_at(object, "n").has_value());
  CHECK_FALSE(text_at(object, "i").has_value());
  CHECK(object_at(object, "o").has_value());
  CHECK_FALSE(object_at(object, "a").has_value());
  CHECK(array_at(object, "a")->size() == 1);
}

}  // namespace scoville::load
