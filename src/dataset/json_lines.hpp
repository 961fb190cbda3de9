#pragma once

#include <simdjson.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/units.hpp"
#include "dataset/jsonl_rows.hpp"

namespace scoville::dataset {

/// A line of a file, parsed; both live until the next one is read.
struct JsonLine {
  std::uint64_t number = 0;  ///< from 1
  simdjson::dom::element value;
  const simdjson::padded_string& characters;
};

/// Hands each line that is JSON to `take`. A line that is none, that is no UTF-8 or that `take` refuses goes to `bad`
/// with the reason. Empty lines, "\r\n" and a byte order mark are no fault.
void for_each_json_line(std::string_view content, std::vector<BadLine>& bad,
                        const std::function<Status(const JsonLine&)>& take);

/// The line as an object, else an Error that says so.
Result<simdjson::dom::object> object_of(const simdjson::dom::element& value);

/// Null counts as left out. An Error names the member that is there and is of no use.
Result<std::optional<std::uint32_t>> tokens_at(const simdjson::dom::object& object, std::string_view key);
/// A member that must be there.
Result<std::uint32_t> needed_tokens(const simdjson::dom::object& object, std::string_view key);
/// Milliseconds, not below 0. Empty: left out or null.
Result<std::optional<Nanos>> millis_at(const simdjson::dom::object& object, std::string_view key);
/// A list of whole numbers; left out or null: none.
Result<std::vector<std::uint64_t>> numbers_at(const simdjson::dom::object& object, std::string_view key);

/// What a text begins with that is not part of it: a byte order mark.
std::string_view without_mark(std::string_view content);

}  // namespace scoville::dataset
