#include "environment/utf8.hpp"

#include <cstddef>

namespace scoville::environment {
namespace {

/// Length of the character that begins `text`; 0 if none does. Table 3-7 of the Unicode Standard.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto continues = [&](std::size_t i) { return byte(i) >= 0x80 && byte(i) <= 0xBF; };
  const unsigned lead = byte(0), second = byte(1);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return continues(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const bool is_wrong = (lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F);
    return continues(1) && continues(2) && !is_wrong ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const bool is_wrong = (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F);
    return continues(1) && continues(2) && continues(3) && !is_wrong ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::string as_utf8(std::string_view bytes) {
  std::string out;
  while (!bytes.empty()) {
    const std::size_t n = character_length(bytes);
    out += n == 0 ? std::string_view("\xEF\xBF\xBD") : bytes.substr(0, n);
    bytes.remove_prefix(n == 0 ? 1 : n);
  }
  return out;
}

json::value texts_as_utf8(const json::value& value) {
  if (const json::string* text = value.if_string()) return json::value(as_utf8(std::string_view(*text)));
  if (const json::array* items = value.if_array()) {
    json::array out;
    for (const json::value& each : *items) out.push_back(texts_as_utf8(each));
    return out;
  }
  const json::object* const members = value.if_object();
  if (!members) return value;
  json::object out;
  for (const auto& [key, held] : *members) out[as_utf8(std::string_view(key))] = texts_as_utf8(held);
  return out;
}

}  // namespace scoville::environment
