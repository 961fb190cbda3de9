#include "load/delta_template.hpp"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace scoville::load {
namespace {

constexpr std::string_view kHole = "\"emit_ns\":";
constexpr std::array<std::string_view, 4> kTextKeys{"\"content\"", "\"text\"", "\"response\"", "\"text_output\""};

bool is_plain(std::string_view text) {
  const bool has_escape = std::memchr(text.data(), '\\', text.size()) != nullptr;
  const bool has_control =
      std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; });
  return !has_escape && !has_control && simdjson::validate_utf8(text.data(), text.size());
}

/// Where the one quoted occurrence of `text` begins in `frame`, as the value of a key that holds text; npos if unsure.
std::size_t find_text(std::string_view frame, std::string_view text, std::string_view colon) {
  const std::string quoted = std::string(colon) + '"' + std::string(text) + '"';
  const std::size_t at = frame.find(quoted);
  if (at == std::string_view::npos || frame.find(quoted, at + 1) != std::string_view::npos)
    return std::string_view::npos;
  const std::string_view before = frame.substr(0, at);
  const bool is_text_key =
      std::any_of(kTextKeys.begin(), kTextKeys.end(), [&](std::string_view key) { return before.ends_with(key); });
  return is_text_key ? at + colon.size() + 1 : std::string_view::npos;
}

}  // namespace

void DeltaTemplate::learn(std::string_view frame, std::string_view text, const std::optional<std::int64_t>& emit_ns) {
  is_known_ = false;
  if (text.empty() || !is_plain(text)) return;
  std::size_t begin = find_text(frame, text, ":");
  if (begin == std::string_view::npos) begin = find_text(frame, text, ": ");
  if (begin == std::string_view::npos) return;
  before_.assign(frame.substr(0, begin));
  std::string_view rest = frame.substr(begin + text.size());
  const std::size_t hole = rest.find(kHole);
  has_hole_ = hole != std::string_view::npos;
  if (has_hole_ != emit_ns.has_value()) return;
  if (has_hole_) {
    const std::size_t digits = hole + kHole.size();
    const std::size_t end = rest.find_first_not_of("0123456789", digits);
    if (end == std::string_view::npos || end == digits) return;
    after_.assign(rest.substr(0, digits));
    tail_.assign(rest.substr(end));
  } else {
    after_.assign(rest);
    tail_.clear();
  }
  is_known_ = true;
}

std::optional<std::string_view> DeltaTemplate::match(std::string_view frame,
                                                     std::optional<std::int64_t>& emit_ns) const {
  if (!is_known_ || frame.size() < before_.size() + after_.size() + tail_.size() + 1) return std::nullopt;
  if (std::memcmp(frame.data(), before_.data(), before_.size()) != 0) return std::nullopt;
  std::string_view rest = frame.substr(before_.size());
  const auto* quote = static_cast<const char*>(std::memchr(rest.data(), '"', rest.size()));
  if (!quote) return std::nullopt;
  const std::string_view text = rest.substr(0, static_cast<std::size_t>(quote - rest.data()));
  rest.remove_prefix(text.size());
  if (text.empty() || !rest.starts_with(after_) || !is_plain(text)) return std::nullopt;
  rest.remove_prefix(after_.size());
  if (has_hole_) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (error != std::errc() || end == rest.data() || *rest.data() == '0') return std::nullopt;
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    if (rest != tail_) return std::nullopt;
    emit_ns = value;
  } else if (!rest.empty()) {
    return std::nullopt;
  }
  return text;
}

}  // namespace scoville::load
