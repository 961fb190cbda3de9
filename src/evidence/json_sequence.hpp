#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"

namespace scoville::evidence {

/// One JSON value of a file, and the line on which it begins.
struct SequenceItem {
  json::value value;
  std::size_t line = 1;
};

/// The values of a file one after another, with blanks or nothing between: one object, JSON lines, what --append-result
/// leaves. NaN and Infinity, which Python writes, read as null. `path` is for the error, which names the line.
Result<std::vector<SequenceItem>> read_json_sequence(const std::string& path, std::string_view text);

}  // namespace scoville::evidence
