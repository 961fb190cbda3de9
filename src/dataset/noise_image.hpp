#pragma once

#include <cstdint>
#include <string>

namespace scoville::dataset {

/// Images that no two requests share: noise, drawn by a number.
///
/// PNG, eight bits of red, green and blue, stored without compression, which noise would not yield to. Const after its
/// making: threads share it.
class NoiseImages {
 public:
  /// In pixels, above 0.
  NoiseImages(std::uint32_t width, std::uint32_t height, std::uint64_t seed);

  /// A PNG file. Equal numbers are equal images.
  std::string png(std::uint64_t number) const;

 private:
  std::uint32_t width_, height_;
  std::string noise_;  ///< rows are copied from places of it
};

}  // namespace scoville::dataset
