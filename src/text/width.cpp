#include "text/width.hpp"

#include <array>
#include <cstdint>

namespace scoville::text {
namespace {

struct Range {
  std::uint32_t first, last;
};
// Wide and full-width blocks of Unicode TR 11, joined where nothing narrow lies between.
constexpr std::array kWide{
    Range{0x1100, 0x115F},   Range{0x2E80, 0x303E},   Range{0x3041, 0x33FF},   Range{0x3400, 0x4DBF},
    Range{0x4E00, 0x9FFF},   Range{0xA000, 0xA4CF},   Range{0xA960, 0xA97F},   Range{0xAC00, 0xD7A3},
    Range{0xF900, 0xFAFF},   Range{0xFE30, 0xFE6F},   Range{0xFF00, 0xFF60},   Range{0xFFE0, 0xFFE6},
    Range{0x1F300, 0x1F64F}, Range{0x1F680, 0x1F6FF}, Range{0x1F900, 0x1FAFF}, Range{0x20000, 0x3FFFD}};
constexpr std::array kZero{Range{0x0300, 0x036F}, Range{0x200B, 0x200F}, Range{0xFE00, 0xFE0F}, Range{0x20D0, 0x20FF}};

template <std::size_t N>
bool within(const std::array<Range, N>& ranges, std::uint32_t point) {
  for (const Range& range : ranges) {
    if (point >= range.first && point <= range.last) return true;
  }
  return false;
}

struct Point {
  std::uint32_t value;
  std::size_t bytes;
};

Point decode(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t bytes = lead < 0x80 ? 1 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
  if (bytes == 1 || bytes > text.size()) return {lead, 1};
  std::uint32_t value = lead & (0xFFu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) value = (value << 6) | (static_cast<unsigned char>(text[i]) & 0x3Fu);
  return {value, bytes};
}

std::size_t columns(std::uint32_t point) { return within(kZero, point) ? 0 : within(kWide, point) ? 2 : 1; }

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const Point point = decode(text);
    width += columns(point.value);
    text.remove_prefix(point.bytes);
  }
  return width;
}

std::string pad_right(std::string_view text, std::size_t width) {
  const std::size_t has = display_width(text);
  return std::string(text) + std::string(has < width ? width - has : 0, ' ');
}

std::string pad_left(std::string_view text, std::size_t width) {
  const std::size_t has = display_width(text);
  return std::string(has < width ? width - has : 0, ' ') + std::string(text);
}

std::string shorten(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  std::string out;
  std::size_t used = 0;
  while (!text.empty()) {
    const Point point = decode(text);
    if (used + columns(point.value) + 1 > width) break;
    used += columns(point.value);
    out.append(text.substr(0, point.bytes));
    text.remove_prefix(point.bytes);
  }
  return out + "…";
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::string out, word;
  std::size_t at = 0, word_width = 0, blanks = 0;
  const auto put_word = [&] {
    if (word.empty()) return;
    if (at > indent && at + blanks + word_width > width) {
      out += "\n" + std::string(indent, ' ');
      at = indent;
    } else {
      out += std::string(blanks, ' ');
      at += blanks;
    }
    out += word;
    at += word_width;
    word.clear();
    word_width = blanks = 0;
  };
  while (!text.empty()) {
    const Point point = decode(text);
    const std::string_view bytes = text.substr(0, point.bytes);
    text.remove_prefix(point.bytes);
    if (point.value == ' ') {
      put_word();
      ++blanks;
      continue;
    }
    // No line begins with a mark that closes, in Chinese neither.
    const bool is_closing = bytes == "，" || bytes == "。" || bytes == "；" || bytes == "：" || bytes == "）" ||
                            bytes == "、" || bytes == "”" || bytes == "》";
    if (columns(point.value) == 2 && !is_closing) put_word();
    word += bytes;
    word_width += columns(point.value);
  }
  put_word();
  return out + "\n";
}

}  // namespace scoville::text
