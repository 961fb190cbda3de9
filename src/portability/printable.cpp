#include "portability/printable.hpp"

#include <cstddef>

namespace scoville::portability {
namespace {

constexpr std::size_t kLongest = 160;

/// Bytes of the character that begins here; 0: none does (Unicode, table 3-7, without its finer rows but for overlong
/// forms and surrogates).
std::size_t character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t size = lead >= 0xc2 && lead < 0xe0   ? 2
                           : lead >= 0xe0 && lead < 0xf0 ? 3
                           : lead >= 0xf0 && lead < 0xf5 ? 4
                                                         : 0;
  if (size == 0 || text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  const unsigned char second = byte(1);
  const bool is_overlong = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
  const bool is_beyond = (lead == 0xed && second > 0x9f) || (lead == 0xf4 && second > 0x8f);
  return is_overlong || is_beyond ? 0 : size;
}

}  // namespace

std::string printable(std::string_view line) {
  while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
  while (!line.empty() && (line.back() == ' ' || line.back() == '\t' || line.back() == '\r')) line.remove_suffix(1);
  std::string out;
  while (!line.empty()) {
    const std::size_t size = character(line);
    if (out.size() + (size ? size : 1) > kLongest) return out + "…";
    const unsigned char first = static_cast<unsigned char>(line.front());
    const bool is_control =
        first < 0x20 || first == 0x7f || (size == 2 && first == 0xc2 && static_cast<unsigned char>(line[1]) < 0xa0);
    if (first == '\t') {
      out += ' ';
    } else if (size == 0 || is_control) {
      out += '?';
    } else {
      out += line.substr(0, size);
    }
    line.remove_prefix(size ? size : 1);
  }
  return out;
}

}  // namespace scoville::portability
