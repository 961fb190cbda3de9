#pragma once

#include <simdjson.h>

#include <optional>
#include <string>
#include <string_view>

namespace scoville::load {

using Json = simdjson::dom::element;
using JsonObject = simdjson::dom::object;

/// Parses frames with one reused parser: no allocation once it has seen the largest frame.
///
/// What strict JSON refuses but real servers send is mended and read again: lone halves of surrogate pairs and bytes
/// that are no UTF-8 become U+FFFD; NaN and Infinity become null (and are reported).
class JsonReader {
 public:
  /// Empty: not JSON. `text` needs 64 readable bytes behind it. The element lives until the next read().
  std::optional<Json> read(std::string_view text);
  /// The last text held NaN, Infinity or broken UTF-8.
  bool was_nonstandard() const { return was_nonstandard_; }

 private:
  simdjson::dom::parser parser_;
  std::string mended_;
  bool was_nonstandard_ = false;
};

/// Member `key` as that type; empty where it is missing, null, or of another type.
std::optional<std::string_view> text_at(const JsonObject& object, std::string_view key);
std::optional<std::int64_t> integer_at(const JsonObject& object, std::string_view key);
std::optional<double> number_at(const JsonObject& object, std::string_view key);
std::optional<JsonObject> object_at(const JsonObject& object, std::string_view key);
std::optional<simdjson::dom::array> array_at(const JsonObject& object, std::string_view key);

}  // namespace scoville::load
