#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace scoville::record {

/// Small numbers in few bytes: seven bits a byte, low ones first, the top bit says that more follow (LEB128).
class ByteWriter {
 public:
  void number(std::uint64_t value) {
    while (value >= 0x80) {
      out_.push_back(static_cast<char>(value | 0x80));
      value >>= 7;
    }
    out_.push_back(static_cast<char>(value));
  }
  /// Small in either direction: 0, −1, 1, −2, … ("zigzag").
  void signed_number(std::int64_t value) {
    number((static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63));
  }
  void fixed(std::uint64_t value) { out_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void text(std::string_view value) {
    number(value.size());
    out_.append(value);
  }
  void append(std::string_view bytes) { out_.append(bytes); }

  const std::string& bytes() const { return out_; }
  void clear() { out_.clear(); }

 private:
  std::string out_;
};

/// Reads what ByteWriter wrote. Past the end, or where a number is too long, it gives 0 and has failed.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; at_ != end_ && shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(*at_++);
      value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    return fail();
  }
  std::int64_t signed_number() {
    const std::uint64_t value = number();
    return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
  }
  std::uint64_t fixed() {
    std::uint64_t value = 0;
    if (static_cast<std::size_t>(end_ - at_) < sizeof value) return fail();
    std::memcpy(&value, at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  std::string_view text() { return take(number()); }
  std::string_view take(std::uint64_t size) {
    if (static_cast<std::uint64_t>(end_ - at_) < size) {
      fail();
      return {};
    }
    const std::string_view out(at_, size);
    at_ += size;
    return out;
  }

  bool has_failed() const { return has_failed_; }
  bool is_at_end() const { return at_ == end_; }
  std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }

 private:
  std::uint64_t fail() {
    has_failed_ = true;
    at_ = end_;
    return 0;
  }

  const char* at_;
  const char* end_;
  bool has_failed_ = false;
};

static_assert(std::endian::native == std::endian::little, "fixed() is written in the machine's order");

}  // namespace scoville::record
