#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "trace/byte_source.hpp"
#include "trace/event_parser.hpp"

namespace scoville::trace {

/// What was not as it should be in the file. The events before a fault were read; nothing after it was.
struct StreamFaults {
  bool is_nonstandard = false;              ///< commas too many, NaN, Infinity
  bool is_unclosed = false;                 ///< the list of events has no closing bracket; it ends with a whole event
  std::optional<std::uint64_t> cut_at;      ///< byte (of the unpacked file) of an event that is cut off
  std::optional<std::uint64_t> damaged_at;  ///< byte of what is no event
};

/// The events of a trace file one after the other, in memory that does not grow with the file: a block, or the largest
/// event.
///
/// Where they stand: a bare list; {"traceEvents": […]}; the same once more inside; or one event after the other, as
/// JSON lines. The file may end anywhere.
class EventStream {
 public:
  explicit EventStream(ByteSource& source);

  /// Goes to the first event. An error: this is no trace (or the file cannot be read).
  Status open();
  /// False: there is no further event. Views in `event` are good until the next call.
  Result<bool> next(TraceEvent& event);

  const StreamFaults& faults() const { return faults_; }
  std::uint64_t events() const { return events_; }
  /// deviceProperties[].name of Kineto, without doubles.
  const std::vector<std::string>& devices() const { return devices_; }

  /// Whether a text that begins so may be a trace: a list or an object of JSON.
  static bool looks_like_one(std::string_view head);

 private:
  enum class Form { list, lines };

  Result<bool> fill();             ///< more bytes behind those from at_ on; false: there are none
  Result<char> peek();             ///< the next character that is no blank, not taken; 0: the end
  Result<std::string> take_key();  ///< at a quote; takes the colon too
  Status open_object(bool is_inner);
  Result<bool> is_event_here();  ///< at a brace: the first key is one of an event
  Status skip_value();
  Status note_devices();
  Result<bool> end_of_file();
  Error not_a_trace(std::string_view expected) const;
  std::uint64_t offset() const { return base_ + at_; }
  std::string_view rest() const { return std::string_view(buffer_.data() + at_, end_ - at_); }

  ByteSource& source_;
  EventParser parser_;
  std::vector<char> buffer_;
  std::size_t at_ = 0, end_ = 0;
  std::uint64_t base_ = 0, events_ = 0;
  bool is_over_ = false, is_done_ = false;
  Form form_ = Form::list;
  StreamFaults faults_;
  std::vector<std::string> devices_;
};

}  // namespace scoville::trace
