#include "trace/event_parser.hpp"

#include <charconv>
#include <cstring>

#include "trace/decimal.hpp"

namespace scoville::trace {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
bool ends_scalar(char c) { return c == ',' || c == '}' || c == ']' || is_blank(c); }

std::optional<std::uint64_t> whole(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

void append_utf8(std::string& out, unsigned code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | code >> 6);
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xE0 | code >> 12);
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

}  // namespace

std::string unescaped(std::string_view text) {
  constexpr std::string_view kLetters = "bfnrt", kMeant = "\b\f\n\r\t";
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    const char letter = text[++i];
    unsigned code = 0;
    if (const std::size_t known = kLetters.find(letter); known != std::string_view::npos) {
      out += kMeant[known];
    } else if (letter == 'u' && i + 4 < text.size() &&
               std::from_chars(text.data() + i + 1, text.data() + i + 5, code, 16).ptr == text.data() + i + 5) {
      append_utf8(out, code >= 0xD800 && code < 0xE000 ? 0xFFFD : code);
      i += 4;
    } else {
      out += letter;
    }
  }
  return out;
}

bool EventParser::skip_blanks() {
  while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  return at_ < text_.size();
}

/// `at_` stands on the opening quote; afterwards behind the closing one.
bool EventParser::read_string(std::string_view& out) {
  const std::size_t begin = at_ + 1;
  for (std::size_t from = begin;;) {
    const void* const found =
        from < text_.size() ? std::memchr(text_.data() + from, '"', text_.size() - from) : nullptr;
    if (!found) return false;
    const std::size_t end = static_cast<std::size_t>(static_cast<const char*>(found) - text_.data());
    std::size_t first = end;  // of the backslashes before it
    while (first > begin && text_[first - 1] == '\\') --first;
    if ((end - first) % 2 == 0) {
      out = text_.substr(begin, end - begin);
      at_ = end + 1;
      return true;
    }
    from = end + 1;
  }
}

/// A string, or a number or word as it stands.
bool EventParser::read_scalar(std::string_view& out) {
  if (text_[at_] == '"') return read_string(out);
  const std::size_t begin = at_;
  while (at_ < text_.size() && !ends_scalar(text_[at_])) ++at_;
  if (at_ == text_.size()) return false;
  if (at_ == begin) return fail();
  out = text_.substr(begin, at_ - begin);
  const char first = out.front() == '-' && out.size() > 1 ? out[1] : out.front();
  const bool is_number = first >= '0' && first <= '9';
  if (!is_number && out != "true" && out != "false" && out != "null") {
    if (out.find_first_of("\"{[:") != std::string_view::npos) return fail();
    is_standard_ = false;  // NaN, Infinity, nan, .5 and their like
  }
  return true;
}

bool EventParser::skip_nested() {
  std::size_t depth = 0;
  std::string_view passed;
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '"') {
      if (!read_string(passed)) return false;
      continue;
    }
    ++at_;
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth == 0) return true;
    if (c == 'N' || c == 'I') is_standard_ = false;
  }
  return false;
}

bool EventParser::skip_value() {
  if (text_[at_] == '{' || text_[at_] == '[') return skip_nested();
  std::string_view passed;
  return read_scalar(passed);
}

bool EventParser::take_argument(std::string_view key, TraceEvent& event) {
  if (text_[at_] == '{' || text_[at_] == '[') return skip_nested();
  std::string_view value;
  if (!read_scalar(value)) return false;
  if (key == "External id" || key == "external id") event.external_id = whole(value);
  if (key == "correlation" || key == "correlation_id") event.correlation = whole(value);
  if (key == "bytes" || key == "Bytes" || key == "size(B)") event.bytes = whole(value);
  if (key == "device" || key == "Device Id") event.device = value;
  if (key == "Task Type") event.task_type = value;
  if (key == "name") event.given_name = value;
  if (key == "Collective name") event.collective = value;
  return true;
}

bool EventParser::take_member(std::string_view key, TraceEvent& event) {
  if (key == "args" && text_[at_] == '{') return parse_members(event, true);
  if (text_[at_] == '{' || text_[at_] == '[') return skip_nested();
  std::string_view value;
  if (!read_scalar(value)) return false;
  if (key == "ph") event.phase = value.empty() ? '\0' : value.front();
  if (key == "cat") event.category = value;
  if (key == "name") event.name = value;
  if (key == "pid") event.process = value;
  if (key == "tid") event.thread = value;
  if (key == "id") event.id = value;
  if (key == "ts") event.at_ns = nanos_of_micros(value);
  if (key == "dur") event.for_ns = nanos_of_micros(value);
  return true;
}

/// `at_` stands on the opening brace; afterwards behind the closing one.
bool EventParser::parse_members(TraceEvent& event, bool in_args) {
  ++at_;
  std::size_t commas = 0;
  for (bool is_first = true;; is_first = false) {
    for (commas = 0; skip_blanks() && text_[at_] == ','; ++at_) ++commas;
    if (at_ == text_.size()) return false;
    const bool is_end = text_[at_] == '}';
    if (commas != (is_first || is_end ? 0U : 1U)) is_standard_ = false;
    if (is_end) {
      ++at_;
      return true;
    }
    if (text_[at_] != '"' || (commas == 0 && !is_first)) return fail();
    std::string_view key;
    if (!read_string(key) || !skip_blanks()) return false;
    if (text_[at_] != ':') return fail();
    ++at_;
    if (!skip_blanks()) return false;
    if (!(in_args ? take_argument(key, event) : take_member(key, event))) return false;
  }
}

EventParser::Outcome EventParser::parse(std::string_view text, TraceEvent& event) {
  text_ = text;
  at_ = 0;
  is_standard_ = true;
  is_invalid_ = false;
  event = TraceEvent{};
  if (parse_members(event, false)) return Outcome::event;
  return is_invalid_ ? Outcome::invalid : Outcome::incomplete;
}

}  // namespace scoville::trace
