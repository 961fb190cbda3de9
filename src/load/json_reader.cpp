#include "load/json_reader.hpp"

#include <array>
#include <cctype>
#include <cmath>

namespace scoville::load {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// Length of the UTF-8 sequence at the front of `text`, 0 if there is none.
std::size_t utf8_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = lead < 0x80                   ? 1
                             : lead >= 0xF0 && lead < 0xF5 ? 4
                             : lead >= 0xE0                ? 3
                             : lead >= 0xC2                ? 2
                                                           : 0;
  if (lead >= 0xF5 || length == 0 || length > text.size()) return 0;
  return simdjson::validate_utf8(text.data(), length) ? length : 0;
}

/// The code unit of a \uXXXX escape at the front of `text`, or -1.
int unicode_escape(std::string_view text) {
  if (text.size() < 6 || text[0] != '\\' || text[1] != 'u') return -1;
  int value = 0;
  for (std::size_t i = 2; i < 6; ++i) {
    const char c = text[i];
    if (!std::isxdigit(static_cast<unsigned char>(c))) return -1;
    value = value * 16 + (c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
  }
  return value;
}

/// Rewrites what strict JSON refuses. True: something beyond lone surrogates was mended.
bool mend(std::string_view text, std::string& out) {
  constexpr std::array<std::string_view, 5> kNoNumbers{"-Infinity", "Infinity", "NaN", "-inf", "nan"};
  bool nonstandard = false, in_string = false;
  out.clear();
  while (!text.empty()) {
    std::size_t take = 1;
    if (in_string) {
      const int unit = unicode_escape(text);
      const int next = text.size() > 6 ? unicode_escape(text.substr(6)) : -1;
      const bool is_high = unit >= 0xD800 && unit < 0xDC00, is_low = unit >= 0xDC00 && unit < 0xE000;
      if (is_high && next >= 0xDC00 && next < 0xE000) {
        take = 12;
      } else if (is_high || is_low) {
        out += "\\uFFFD";
        text.remove_prefix(6);
        continue;
      } else if (text[0] == '\\') {
        take = std::min<std::size_t>(2, text.size());
      } else if (text[0] == '"') {
        in_string = false;
      } else if (take = utf8_length(text); take == 0) {
        out += kReplacement;
        nonstandard = true;
        text.remove_prefix(1);
        continue;
      }
    } else if (text[0] == '"') {
      in_string = true;
    } else {
      for (const std::string_view word : kNoNumbers) {
        if (!text.starts_with(word)) continue;
        out += "null";
        nonstandard = true;
        text.remove_prefix(word.size());
        take = 0;
        break;
      }
    }
    out += text.substr(0, take);
    text.remove_prefix(take);
  }
  return nonstandard;
}

template <class T>
std::optional<T> member(const JsonObject& object, std::string_view key) {
  T value;
  if (object[key].get(value) != simdjson::SUCCESS) return std::nullopt;
  return value;
}

}  // namespace

std::optional<Json> JsonReader::read(std::string_view text) {
  was_nonstandard_ = false;
  Json json;
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  if (parser_.parse(bytes, text.size(), false).get(json) == simdjson::SUCCESS) return json;
  if (text.empty() || (text[0] != '{' && text[0] != '[')) return std::nullopt;
  const bool nonstandard = mend(text, mended_);
  if (mended_ == text || parser_.parse(mended_).get(json) != simdjson::SUCCESS) return std::nullopt;
  was_nonstandard_ = nonstandard;
  return json;
}

std::optional<std::string_view> text_at(const JsonObject& object, std::string_view key) {
  return member<std::string_view>(object, key);
}

std::optional<std::int64_t> integer_at(const JsonObject& object, std::string_view key) {
  if (const auto exact = member<std::int64_t>(object, key)) return exact;
  constexpr double kLargest = 9007199254740992;     // 2^53: beyond, not every integer is a double
  const auto number = member<double>(object, key);  // "completion_tokens": 12.0
  if (!number || std::abs(*number) > kLargest || *number != std::trunc(*number)) return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

std::optional<double> number_at(const JsonObject& object, std::string_view key) { return member<double>(object, key); }

std::optional<JsonObject> object_at(const JsonObject& object, std::string_view key) {
  return member<JsonObject>(object, key);
}

std::optional<simdjson::dom::array> array_at(const JsonObject& object, std::string_view key) {
  return member<simdjson::dom::array>(object, key);
}

}  // namespace scoville::load
