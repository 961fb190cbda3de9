#include "dataset/noise_image.hpp"

#include <zlib.h>

#include <cstring>
#include <string_view>

#include "base/check.hpp"
#include "base/rng.hpp"

namespace scoville::dataset {
namespace {

constexpr std::uint64_t kNoiseStream = 0x64617461'0010, kImageStream = 0x64617461'0011;
constexpr std::size_t kSpare = std::size_t{1} << 16;  // places from which a row may begin

void append_number(std::string& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xFF);
}

/// Length, type, content, CRC of the last two (PNG, section 5.3).
void append_chunk(std::string& png, std::string_view type, std::string_view content) {
  append_number(png, static_cast<std::uint32_t>(content.size()));
  const std::size_t from = png.size();
  (png += type) += content;
  append_number(png, static_cast<std::uint32_t>(
                         crc32_z(0, reinterpret_cast<const Bytef*>(png.data() + from), png.size() - from)));
}

/// A zlib stream that holds the bytes as they are.
std::string stored(std::string_view bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string out(size, '\0');
  const int status = compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                               reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uLong>(bytes.size()), 0);
  SCOVILLE_CHECK(status == Z_OK, "zlib stores what it is given room for");
  out.resize(size);
  return out;
}

}  // namespace

NoiseImages::NoiseImages(std::uint32_t width, std::uint32_t height, std::uint64_t seed)
    : width_(width), height_(height) {
  SCOVILLE_CHECK(width > 0 && height > 0, "an image has pixels");
  Rng rng(seed, kNoiseStream);
  noise_.resize((std::size_t{width} * 3 + kSpare) / 8 * 8 + 8);
  for (std::size_t at = 0; at < noise_.size(); at += 8) {
    const std::uint64_t bits = rng();
    std::memcpy(noise_.data() + at, &bits, sizeof bits);
  }
}

std::string NoiseImages::png(std::uint64_t number) const {
  const std::size_t row = std::size_t{width_} * 3;
  std::string pixels;
  pixels.reserve((row + 1) * height_);
  Rng rng(number, kImageStream);
  for (std::uint32_t y = 0; y < height_; ++y) {
    pixels += '\0';  // no filter
    pixels.append(noise_, rng.below(kSpare), row);
    if (y == 0) {  // what makes it its own, however few rows there are
      const std::uint64_t mark = rng();
      std::memcpy(pixels.data() + 1, &mark, std::min(row, sizeof mark));
    }
  }
  const std::string packed = stored(pixels);
  std::string png;
  png.reserve(packed.size() + 64);
  png = "\x89PNG\r\n\x1a\n";
  std::string head;
  append_number(head, width_);
  append_number(head, height_);
  head.append("\x08\x02\x00\x00\x00",
              5);  // eight bits, RGB, the one compression, the one filter method, not interlaced
  append_chunk(png, "IHDR", head);
  append_chunk(png, "IDAT", packed);
  append_chunk(png, "IEND", {});
  return png;
}

}  // namespace scoville::dataset
