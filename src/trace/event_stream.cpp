#include "trace/event_stream.hpp"

#include <algorithm>
#include <cstring>

#include "text/catalogue/trace.hpp"

namespace scoville::trace {
namespace {

using text::say;
using text::TraceMsg;

constexpr std::size_t kBlock = 1 << 18, kLargestEvent = 16 << 20;
constexpr std::string_view kMark = "\xEF\xBB\xBF";

bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

}  // namespace

EventStream::EventStream(ByteSource& source) : source_(source), buffer_(kBlock) {}

bool EventStream::looks_like_one(std::string_view head) {
  if (head.starts_with(kMark)) head.remove_prefix(kMark.size());
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return false;
  head.remove_prefix(first);
  if (head.front() != '{' && head.front() != '[') return false;
  head.remove_prefix(1);
  const std::size_t second = head.find_first_not_of(" \t\r\n,");
  return second == std::string_view::npos || std::string_view("\"{}]").find(head[second]) != std::string_view::npos;
}

Error EventStream::not_a_trace(std::string_view expected) const {
  return {ErrorCode::invalid_argument, say(TraceMsg::trace_not_one, offset(), expected)};
}

Result<bool> EventStream::fill() {
  if (is_over_) return false;
  if (at_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + at_, end_ - at_);
    base_ += at_;
    end_ -= at_;
    at_ = 0;
  }
  if (end_ == buffer_.size()) {
    if (buffer_.size() >= kLargestEvent) return false;
    buffer_.resize(buffer_.size() * 2);
  }
  Result<std::size_t> got = source_.read(buffer_.data() + end_, buffer_.size() - end_);
  if (!got) return got.error();
  end_ += *got;
  is_over_ = *got == 0;
  return !is_over_;
}

Result<char> EventStream::peek() {
  for (;;) {
    while (at_ < end_ && is_blank(buffer_[at_])) ++at_;
    if (at_ < end_) return buffer_[at_];
    Result<bool> more = fill();
    if (!more) return more.error();
    if (!*more) return '\0';
  }
}

Result<std::string> EventStream::take_key() {
  for (;;) {
    const std::string_view text = rest();
    const std::size_t end = text.find('"', 1);
    if (end != std::string_view::npos) {
      std::string key(text.substr(1, end - 1));
      at_ += end + 1;
      Result<char> colon = peek();
      if (!colon) return colon.error();
      if (*colon != ':') return not_a_trace("':'");
      ++at_;
      return key;
    }
    Result<bool> more = fill();
    if (!more) return more.error();
    if (!*more) return not_a_trace("'\"'");
  }
}

Result<bool> EventStream::is_event_here() {
  constexpr std::array<std::string_view, 8> kKeys{"ph", "name", "cat", "pid", "tid", "ts", "dur", "args"};
  for (;;) {
    const std::string_view text = rest();
    const std::size_t begin = text.find('"');
    const std::size_t end = begin == std::string_view::npos ? begin : text.find('"', begin + 1);
    if (end != std::string_view::npos) {
      return std::find(kKeys.begin(), kKeys.end(), text.substr(begin + 1, end - begin - 1)) != kKeys.end();
    }
    Result<bool> more = fill();
    if (!more) return more;
    if (!*more) return false;
  }
}

/// Passes over any value, byte by byte: it may be larger than the buffer.
Status EventStream::skip_value() {
  std::size_t depth = 0;
  bool in_string = false, is_escaped = false;
  for (;;) {
    if (at_ == end_) {
      Result<bool> more = fill();
      if (!more) return more.error();
      if (!*more) return not_a_trace("traceEvents");
    }
    const char c = buffer_[at_];
    if (in_string) {
      in_string = is_escaped || c != '"';
      is_escaped = !is_escaped && c == '\\';
    } else {
      if (depth == 0 && (c == ',' || c == '}' || c == ']')) return Done{};
      if (c == '"') in_string = true;
      if (c == '{' || c == '[') ++depth;
      if (c == '}' || c == ']') --depth;
    }
    ++at_;
  }
}

/// deviceProperties: a short list near the head of the file. What of it is in the buffer is looked at.
Status EventStream::note_devices() {
  std::string_view list = rest().substr(0, rest().find(']'));
  for (;;) {
    const std::size_t key = list.find("\"name\"");
    if (key == std::string_view::npos) return skip_value();
    list.remove_prefix(key + 6);
    const std::size_t begin = list.find('"');
    const std::size_t end = begin == std::string_view::npos ? begin : list.find('"', begin + 1);
    if (end == std::string_view::npos) return skip_value();
    std::string name = unescaped(list.substr(begin + 1, end - begin - 1));
    if (std::find(devices_.begin(), devices_.end(), name) == devices_.end()) devices_.push_back(std::move(name));
    list.remove_prefix(end);
  }
}

/// At the brace of an object that holds the list of events somewhere.
Status EventStream::open_object(bool is_inner) {
  ++at_;
  for (;;) {
    Result<char> c = peek();
    if (!c) return c.error();
    if (*c == ',') {
      ++at_;
      continue;
    }
    if (*c != '"') return not_a_trace(is_inner ? say(TraceMsg::trace_list_of_events) : "traceEvents");
    Result<std::string> key = take_key();
    if (!key) return key.error();
    Result<char> first = peek();
    if (!first) return first.error();
    if (*key != "traceEvents") {
      if (Status passed = *key == "deviceProperties" ? note_devices() : skip_value(); !passed) return passed;
      continue;
    }
    if (*first == '[') {
      ++at_;
      return Done{};
    }
    if (*first != '{' || is_inner) return not_a_trace(say(TraceMsg::trace_list_of_events));
    return open_object(true);
  }
}

Status EventStream::open() {
  if (Result<bool> more = fill(); !more) return more.error();
  if (rest().starts_with(kMark)) at_ += kMark.size();
  Result<char> c = peek();
  if (!c) return c.error();
  if (*c == '[') {
    ++at_;
    return Done{};
  }
  if (*c != '{') return not_a_trace("'[' / '{'");
  Result<bool> is_event = is_event_here();
  if (!is_event) return is_event.error();
  if (!*is_event) return open_object(false);
  form_ = Form::lines;
  return Done{};
}

Result<bool> EventStream::end_of_file() {
  is_done_ = true;
  if (source_.is_cut()) {
    faults_.cut_at = offset();
  } else if (form_ == Form::list) {
    faults_.is_unclosed = true;
  }
  return false;
}

Result<bool> EventStream::next(TraceEvent& event) {
  if (is_done_) return false;
  std::size_t commas = 0;
  for (;;) {
    Result<char> c = peek();
    if (!c) return c.error();
    if (*c == '\0') return end_of_file();
    if (*c != ',') break;
    ++commas;
    ++at_;
  }
  const bool is_end = form_ == Form::list && buffer_[at_] == ']';
  if (commas != (is_end || events_ == 0 || form_ == Form::lines ? 0U : 1U)) faults_.is_nonstandard = true;
  if (is_end) {
    is_done_ = true;
    return false;
  }
  for (;;) {
    const EventParser::Outcome outcome =
        buffer_[at_] == '{' ? parser_.parse(rest(), event) : EventParser::Outcome::invalid;
    if (outcome == EventParser::Outcome::event) break;
    if (outcome == EventParser::Outcome::incomplete) {
      Result<bool> more = fill();
      if (!more) return more;
      if (*more) continue;
    }
    is_done_ = true;
    (outcome == EventParser::Outcome::incomplete && is_over_ ? faults_.cut_at : faults_.damaged_at) = offset();
    return false;
  }
  at_ += parser_.size();
  if (!parser_.was_standard()) faults_.is_nonstandard = true;
  ++events_;
  return true;
}

}  // namespace scoville::trace
