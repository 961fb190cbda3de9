#pragma once

#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "load/chunk.hpp"

namespace scoville::load {

/// Recognises a frame that differs from an earlier one of the same stream in its text alone.
///
/// Most frames of a stream are equal but for the text of one delta (and, from a scripted endpoint, the digits of
/// emit_ns). Comparing bytes with a frame that was parsed in full costs a tenth of parsing this one; the answer is the
/// same, because what lies around the text is byte for byte what the parser has already accepted.
///
/// learn() takes a frame that was read in full and turned out to be one choice with a plain text and nothing else.
class DeltaTemplate {
 public:
  void forget() { is_known_ = false; }

  /// Remembers what surrounds `text`, if that can be told without doubt: it must stand in `frame` once, in quotes, and
  /// be free of escapes. `emit_ns` digits behind the text, if the chunk has some, become a hole.
  void learn(std::string_view frame, std::string_view text, const std::optional<std::int64_t>& emit_ns);

  /// The text of `frame`, if it fits; emit_ns is set where the template has the hole.
  std::optional<std::string_view> match(std::string_view frame, std::optional<std::int64_t>& emit_ns) const;

 private:
  bool is_known_ = false, has_hole_ = false;
  std::string before_, after_, tail_;  // before " text " after [digits tail]
};

}  // namespace scoville::load
