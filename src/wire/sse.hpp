#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

namespace scoville::wire {

/// One server-sent event, or one line of newline-delimited JSON.
struct Frame {
  std::string_view data;  ///< data lines joined with LF; at least 64 readable bytes follow it
  std::string_view event;
  bool is_error_field = false;  ///< came as `error: …` instead of `data: …` (some llama.cpp builds)
  bool is_terminated = true;    ///< false: the body ended before the blank line
  /// Just behind the last byte of the frame in the bytes handed to feed(); null where the end of the body closed it.
  const char* end = nullptr;
};

/// Cuts a stream into events. Pure and incremental: bytes may be split anywhere.
///
/// WHATWG HTML, "Server-sent events", with what real servers send: CR, LF and CRLF line by line, no wait for the byte
/// behind a CR, one optional blank after the colon, comments anywhere, unknown fields ignored. A frame that lies within
/// one feed() is handed on without a copy. Lines may be up to 16 MiB long.
class SseParser {
 public:
  static constexpr std::size_t kLongestFrame = std::size_t{16} << 20;
  enum class Mode { events, lines };  ///< lines: newline-delimited JSON, each line a frame

  void reset(Mode mode);

  /// `bytes` must have 64 readable bytes behind them. Calls on_frame(const Frame&) for each frame that is complete.
  template <class OnFrame>
  void feed(std::string_view bytes, OnFrame&& on_frame);

  /// The body has ended cleanly: hands on what was still pending.
  template <class OnFrame>
  void finish(OnFrame&& on_frame);

  /// A known field or a comment was seen: this is an event stream in earnest.
  bool has_fields() const { return has_fields_; }
  bool is_overlong() const { return is_overlong_; }
  /// Bytes came that belong to no complete frame yet.
  bool is_inside_frame() const { return !pending_.empty() || has_data_; }

 private:
  template <class OnFrame>
  void line(std::string_view text, const char* end, OnFrame& on_frame);
  template <class OnFrame>
  void dispatch(const char* end, bool is_terminated, OnFrame& on_frame);
  void add_data(std::string_view value);
  /// Copies a view into the caller's bytes before they go away.
  void keep();

  static constexpr std::size_t kPadding = 64;

  Mode mode_ = Mode::events;
  std::string pending_;     // the part of a line that has come
  std::string data_;        // data lines of the frame, once there is more than one or a feed() ended
  std::string_view whole_;  // the one data line of the frame, still in the caller's bytes
  std::string event_;
  bool has_data_ = false, is_error_ = false, skip_lf_ = false, has_fields_ = false, is_overlong_ = false;
};

// ---------------------------------------------------------------------------------------------------- hot path

inline void SseParser::reset(Mode mode) {
  mode_ = mode;
  pending_.clear();
  data_.clear();
  event_.clear();
  whole_ = {};
  has_data_ = is_error_ = skip_lf_ = has_fields_ = is_overlong_ = false;
}

inline void SseParser::keep() {
  if (whole_.data() == nullptr) return;
  data_.reserve(whole_.size() + kPadding);
  data_.assign(whole_);
  whole_ = {};
}

inline void SseParser::add_data(std::string_view value) {
  if (!has_data_) {
    has_data_ = true;
    whole_ = value;
    return;
  }
  keep();
  data_.reserve(data_.size() + 1 + value.size() + kPadding);
  data_ += '\n';
  data_ += value;
}

template <class OnFrame>
void SseParser::dispatch(const char* end, bool is_terminated, OnFrame& on_frame) {
  if (has_data_) {
    Frame frame;
    frame.data = whole_.data() ? whole_ : std::string_view(data_);
    frame.event = event_;
    frame.is_error_field = is_error_;
    frame.is_terminated = is_terminated;
    frame.end = end;
    on_frame(static_cast<const Frame&>(frame));
  }
  has_data_ = is_error_ = false;
  whole_ = {};
  data_.clear();
  event_.clear();
}

template <class OnFrame>
void SseParser::line(std::string_view text, const char* end, OnFrame& on_frame) {
  if (mode_ == Mode::lines) {
    if (text.find_first_not_of(" \t") == std::string_view::npos) return;
    has_fields_ = true;
    add_data(text);
    dispatch(end, true, on_frame);
    return;
  }
  if (text.empty()) {
    dispatch(end, true, on_frame);
    return;
  }
  const std::size_t colon = text.find(':');
  if (colon == 0) {
    has_fields_ = true;
    return;
  }
  const std::string_view name = text.substr(0, colon);
  std::string_view value = colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (name == "data") {
    has_fields_ = true;
    add_data(value);
  } else if (name == "event") {
    has_fields_ = true;
    event_.assign(value);
  } else if (name == "error") {
    has_fields_ = is_error_ = true;
    add_data(value);
  } else if (name == "id" || name == "retry") {
    has_fields_ = true;
  }
}

template <class OnFrame>
void SseParser::feed(std::string_view bytes, OnFrame&& on_frame) {
  const char* at = bytes.data();
  const char* const stop = at + bytes.size();
  if (skip_lf_ && at != stop) {
    skip_lf_ = false;
    if (*at == '\n') ++at;
  }
  while (at != stop) {
    const auto left = static_cast<std::size_t>(stop - at);
    const char* eol = static_cast<const char*>(std::memchr(at, '\n', left));
    if (const void* cr = std::memchr(at, '\r', eol ? static_cast<std::size_t>(eol - at) : left)) {
      eol = static_cast<const char*>(cr);
    }
    if (!eol) {
      if (pending_.size() + left > kLongestFrame) {
        is_overlong_ = true;
        return;
      }
      pending_.append(at, left);
      break;
    }
    const char* next = eol + 1;
    if (*eol == '\r') {
      if (next == stop) {
        skip_lf_ = true;
      } else if (*next == '\n') {
        ++next;
      }
    }
    if (pending_.empty()) {
      line({at, static_cast<std::size_t>(eol - at)}, next, on_frame);
    } else {
      pending_.append(at, eol);
      pending_.reserve(pending_.size() + kPadding);
      line(pending_, next, on_frame);
      keep();  // a view into pending_ goes with it
      pending_.clear();
    }
    if (data_.size() > kLongestFrame) {
      is_overlong_ = true;
      return;
    }
    at = next;
  }
  keep();
}

template <class OnFrame>
void SseParser::finish(OnFrame&& on_frame) {
  const bool was_open = is_inside_frame();
  if (!pending_.empty()) {
    pending_.reserve(pending_.size() + kPadding);
    if (mode_ == Mode::lines) {
      add_data(pending_);
    } else {
      line(pending_, nullptr, on_frame);
    }
    keep();
    pending_.clear();
  }
  if (was_open) dispatch(nullptr, false, on_frame);
}

}  // namespace scoville::wire
