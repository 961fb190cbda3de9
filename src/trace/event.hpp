#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace scoville::trace {

/// One event of a Chrome trace, as far as anything here asks for it. Texts are views of the reader's buffer as they
/// stand in the file (escapes in place), good until the next event is read; a key that is missing is empty.
struct TraceEvent {
  char phase = 0;  ///< ph: X complete, B and E its halves, M metadata, s and f the ends of a flow; 0: none was given
  std::string_view category, name, id;
  std::string_view process, thread;    ///< pid, tid: numbers or words
  std::optional<std::int64_t> at_ns;   ///< ts
  std::optional<std::int64_t> for_ns;  ///< dur
  // args
  std::optional<std::uint64_t> external_id, correlation, bytes;
  std::string_view device, task_type, given_name, collective;
};

/// A text of the file with its escapes undone; what is no sound escape stays as it is.
std::string unescaped(std::string_view text);

}  // namespace scoville::trace
