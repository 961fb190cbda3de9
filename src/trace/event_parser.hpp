#pragma once

#include <string_view>

#include "trace/event.hpp"

namespace scoville::trace {

/// Reads one event in one pass over its bytes: the flat keys that are asked for, all else is passed over.
///
/// Traces are written by many hands: NaN and Infinity, superfluous commas and numbers in quotes are taken, and told of.
class EventParser {
 public:
  enum class Outcome { event, incomplete, invalid };

  /// `text` begins with the brace of an event and may go on after it. incomplete: it ends before the event does.
  Outcome parse(std::string_view text, TraceEvent& event);

  /// Of the event parsed last.
  std::size_t size() const { return at_; }
  bool was_standard() const { return is_standard_; }

 private:
  bool parse_members(TraceEvent& event, bool in_args);
  bool take_member(std::string_view key, TraceEvent& event);
  bool take_argument(std::string_view key, TraceEvent& event);
  bool read_string(std::string_view& out);
  bool read_scalar(std::string_view& out);
  bool skip_value();
  bool skip_nested();
  bool skip_blanks();  ///< false: nothing is left
  bool fail() {
    is_invalid_ = true;
    return false;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool is_standard_ = true, is_invalid_ = false;
};

}  // namespace scoville::trace
