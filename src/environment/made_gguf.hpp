#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace scoville::environment {

/// The bytes of a small GGUF header, written from docs/gguf.md and not by the reader's own types.
class MadeGguf {
 public:
  explicit MadeGguf(std::uint32_t version = 3) : version_(version) {}

  MadeGguf& text(std::string_view key, std::string_view value) { return entry(key, 8, string(value)); }
  MadeGguf& u32(std::string_view key, std::uint32_t value) { return entry(key, 4, number(value, 4)); }
  MadeGguf& f32_zero(std::string_view key) { return entry(key, 6, number(0, 4)); }
  MadeGguf& texts(std::string_view key, const std::vector<std::string>& values) {
    std::string out = number(8, 4) + number(values.size(), 8);
    for (const std::string& each : values) out += string(each);
    return entry(key, 9, out);
  }
  MadeGguf& u16s(std::string_view key, std::uint64_t count) {
    return entry(key, 9, number(2, 4) + number(count, 8) + std::string(count * 2, '\1'));
  }
  /// An entry of any type, with these bytes as its value.
  MadeGguf& entry(std::string_view key, std::uint32_t type, const std::string& value) {
    entries_ += string(key) + number(type, 4) + value;
    ++count_;
    return *this;
  }
  std::string bytes(std::uint64_t tensors = 272) const {
    return "GGUF" + number(version_, 4) + number(tensors, 8) + number(count_, 8) + entries_;
  }
  /// An entry of the list of tensors, which follows bytes().
  static std::string tensor(std::string_view name, const std::vector<std::uint64_t>& sizes) {
    std::string out = string(name) + number(sizes.size(), 4);
    for (const std::uint64_t each : sizes) out += number(each, 8);
    return out + number(0, 4) + number(0, 8);
  }
  static std::string number(std::uint64_t value, int size) {
    std::string out;
    for (int i = 0; i < size; ++i) out += static_cast<char>((value >> (8 * i)) & 0xff);
    return out;
  }

 private:
  static std::string string(std::string_view text) { return number(text.size(), 8) + std::string(text); }

  std::uint32_t version_;
  std::uint64_t count_ = 0;
  std::string entries_;
};

}  // namespace scoville::environment
